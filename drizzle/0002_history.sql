CREATE TABLE `kept_reply` (
	`credential_id` text NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`body_hash` text NOT NULL,
	`at` integer NOT NULL,
	`status` integer NOT NULL,
	`body` text NOT NULL,
	`etag` text,
	`touched` text,
	PRIMARY KEY(`credential_id`, `method`, `path`, `idempotency_key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `kept_reply_at` ON `kept_reply` (`at`);--> statement-breakpoint
CREATE TABLE `mass_deletion` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`session_id` text,
	`at` integer NOT NULL,
	`stamp` integer NOT NULL,
	`records` integer NOT NULL,
	`restored_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `mass_deletion_account` ON `mass_deletion` (`account_id`,`at`);--> statement-breakpoint
CREATE TABLE `version` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`tbl` text NOT NULL,
	`record_id` text NOT NULL,
	`at` integer NOT NULL,
	`stamp` integer,
	`loss` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	`writer_kind` text,
	`writer_id` text,
	`by_kind` text,
	`by_id` text,
	`difference` text,
	`size` integer NOT NULL,
	`digest` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `version_record` ON `version` (`account_id`,`tbl`,`record_id`,`id`);--> statement-breakpoint
CREATE INDEX `version_by` ON `version` (`account_id`,`by_id`,`at`) WHERE by_kind = 'api_key';--> statement-breakpoint
CREATE INDEX `version_stamp` ON `version` (`account_id`,`stamp`) WHERE loss = 'deleted';--> statement-breakpoint
CREATE INDEX `version_at` ON `version` (`at`);--> statement-breakpoint
CREATE INDEX `version_size` ON `version` (`account_id`,`id`,`size`);--> statement-breakpoint
CREATE UNIQUE INDEX `version_refused` ON `version` (`account_id`,`tbl`,`record_id`,`digest`) WHERE digest is not null;--> statement-breakpoint
ALTER TABLE `account` ADD `history_size` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `activity` ADD `dry_run` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `record` ADD `pushed_content` text;--> statement-breakpoint
ALTER TABLE `record` ADD `guards` text;--> statement-breakpoint
ALTER TABLE `record` ADD `writer_kind` text;--> statement-breakpoint
ALTER TABLE `record` ADD `writer_id` text;--> statement-breakpoint
CREATE INDEX `record_gone` ON `record` (`account_id`,`changed_at`,`tbl`,`id`) WHERE deleted_at is not null or (tbl = 'sync_tasks' and trashed = 1);--> statement-breakpoint
ALTER TABLE `session` ADD `ack` integer;--> statement-breakpoint
ALTER TABLE `session` ADD `issued` text;