CREATE TABLE `code` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`digest` blob NOT NULL,
	`account_id` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`session_id` text,
	`redirect_uri` text,
	`challenge` text,
	`device_name` text,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `code_digest` ON `code` (`digest`);--> statement-breakpoint
CREATE INDEX `code_account` ON `code` (`account_id`);--> statement-breakpoint
CREATE INDEX `code_expires` ON `code` (`expires_at`);--> statement-breakpoint
CREATE TABLE `failure` (
	`subject` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`last_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `failure_last` ON `failure` (`last_at`);--> statement-breakpoint
CREATE TABLE `identity` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` integer NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `identity_account` ON `identity` (`account_id`);--> statement-breakpoint
CREATE TABLE `known_browser` (
	`digest` blob PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `known_browser_account` ON `known_browser` (`account_id`);--> statement-breakpoint
CREATE TABLE `passkey` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`host` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `passkey_account` ON `passkey` (`account_id`);--> statement-breakpoint
CREATE TABLE `redirect` (
	`account_id` integer NOT NULL,
	`uri` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `uri`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `visit` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`digest` blob NOT NULL,
	`method` text NOT NULL,
	`client` text,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`authenticated_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `visit_digest` ON `visit` (`digest`);--> statement-breakpoint
CREATE INDEX `visit_account` ON `visit` (`account_id`);--> statement-breakpoint
ALTER TABLE `account` ADD `owner` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `account_owner` ON `account` (`owner`);--> statement-breakpoint
ALTER TABLE `api_key` ADD `replaced_by` text;--> statement-breakpoint
ALTER TABLE `session` ADD `last_sync_at` integer;--> statement-breakpoint
ALTER TABLE `session` ADD `pulled` integer;--> statement-breakpoint
ALTER TABLE `session` ADD `applied` integer;--> statement-breakpoint
ALTER TABLE `session` ADD `rejected` integer;--> statement-breakpoint
CREATE INDEX `activity_account` ON `activity` (`account_id`,`at`,`key_id`,`status`,`count`);