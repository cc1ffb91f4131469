CREATE TABLE `account` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`uid` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`plan` text NOT NULL,
	`plan_source` text NOT NULL,
	`plan_until` integer,
	`pro_ended_at` integer,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`hw` integer NOT NULL,
	`inbox_task_id` text
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `account_uid_unique` ON `account` (`uid`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_email_unique` ON `account` (`email`);--> statement-breakpoint
CREATE TABLE `activity` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`key_id` text NOT NULL,
	`at` integer NOT NULL,
	`method` text NOT NULL,
	`route` text NOT NULL,
	`status` integer NOT NULL,
	`touched` text,
	`client` text,
	`took_token` integer NOT NULL,
	`count` integer NOT NULL,
	`minute` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `activity_key` ON `activity` (`key_id`,`at`);--> statement-breakpoint
CREATE INDEX `activity_at` ON `activity` (`at`);--> statement-breakpoint
CREATE UNIQUE INDEX `activity_folded` ON `activity` (`key_id`,`minute`,`method`,`route`,`status`) WHERE minute is not null;--> statement-breakpoint
CREATE TABLE `agent_child` (
	`account_id` integer NOT NULL,
	`id` text NOT NULL,
	`list` text NOT NULL,
	`key` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`digest` blob NOT NULL,
	`hint` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_key_scopes" CHECK(scopes in ('read', 'write', 'read,write'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_digest` ON `api_key` (`digest`);--> statement-breakpoint
CREATE INDEX `api_key_account` ON `api_key` (`account_id`);--> statement-breakpoint
CREATE TABLE `record` (
	`account_id` integer NOT NULL,
	`tbl` text NOT NULL,
	`id` text NOT NULL,
	`payload` text NOT NULL,
	`size` integer NOT NULL,
	`updated` integer NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`changed_at` integer NOT NULL,
	`pushed_at` integer,
	`clamp_raw` integer,
	`clamp_content` text,
	`clamped_at` integer,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_by_key` text,
	`agent_children` text,
	`title` text NOT NULL,
	`status` text,
	`folder_id` text,
	`bucket_id` text,
	`trashed` integer NOT NULL,
	`live` integer NOT NULL,
	`open` integer NOT NULL,
	`row` text NOT NULL,
	PRIMARY KEY(`account_id`, `tbl`, `id`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `record_changed` ON `record` (`account_id`,`tbl`,`changed_at`,`id`,`size`);--> statement-breakpoint
CREATE INDEX `record_open` ON `record` (`account_id`,`changed_at`,`id`) WHERE open = 1;--> statement-breakpoint
CREATE INDEX `record_folder` ON `record` (`account_id`,`folder_id`,`changed_at`,`id`) WHERE open = 1;--> statement-breakpoint
CREATE INDEX `record_status` ON `record` (`account_id`,`status`,`changed_at`,`id`) WHERE tbl = 'sync_tasks' and live = 1;--> statement-breakpoint
CREATE INDEX `record_bucket` ON `record` (`account_id`,`bucket_id`) WHERE bucket_id is not null;--> statement-breakpoint
CREATE INDEX `record_title` ON `record` (`account_id`,`title`,`created_at`,`id`) WHERE tbl = 'sync_projects' and live = 1;--> statement-breakpoint
CREATE TABLE `server` (
	`id` integer PRIMARY KEY NOT NULL,
	`lease` integer NOT NULL,
	`epoch` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `session` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`digest` blob NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `session_digest` ON `session` (`digest`);--> statement-breakpoint
CREATE INDEX `session_account` ON `session` (`account_id`);--> statement-breakpoint
CREATE TABLE `tab_url` (
	`account_id` integer NOT NULL,
	`url_hash` integer NOT NULL,
	`task_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `url_hash`, `task_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `server` (`id`, `lease`, `epoch`) VALUES (1, 0, lower(hex(randomblob(16))));
