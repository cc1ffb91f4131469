CREATE TABLE `file_import` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` integer NOT NULL,
	`name` text NOT NULL,
	`format` text NOT NULL,
	`digest` text NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`undone_at` integer,
	`done` integer DEFAULT 0 NOT NULL,
	`folders` integer DEFAULT 0 NOT NULL,
	`tasks` integer DEFAULT 0 NOT NULL,
	`tabs` integer DEFAULT 0 NOT NULL,
	`notes` integer DEFAULT 0 NOT NULL,
	`known` integer DEFAULT 0 NOT NULL,
	`skipped` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `file_import_account` ON `file_import` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `imported` (
	`account_id` integer NOT NULL,
	`import_id` integer NOT NULL,
	`tbl` text NOT NULL,
	`record_id` text NOT NULL,
	`source` text,
	`stamp` integer NOT NULL,
	`tabs` text,
	PRIMARY KEY(`import_id`, `tbl`, `record_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `imported_record` ON `imported` (`account_id`,`tbl`,`record_id`);--> statement-breakpoint
CREATE INDEX `imported_source` ON `imported` (`account_id`,`source`) WHERE source is not null;