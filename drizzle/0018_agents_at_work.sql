CREATE TABLE `claim` (
	`account_id` integer NOT NULL,
	`task_id` text NOT NULL,
	`id` text NOT NULL,
	`key_id` text NOT NULL,
	`until` integer NOT NULL,
	`length` integer NOT NULL,
	PRIMARY KEY(`account_id`, `task_id`)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `claim_id` ON `claim` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `departure` (
	`account_id` integer NOT NULL,
	`container` text NOT NULL,
	`task_id` text NOT NULL,
	`stamp` integer NOT NULL,
	PRIMARY KEY(`account_id`, `container`, `task_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `departure_stamp` ON `departure` (`account_id`,`stamp`);--> statement-breakpoint
ALTER TABLE `api_key` ADD `review` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `api_key` ADD `client` text;--> statement-breakpoint
ALTER TABLE `code` ADD `allowed` text;