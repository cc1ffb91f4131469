CREATE TABLE `search_task` (
	`id` integer PRIMARY KEY NOT NULL,
	`account_id` integer NOT NULL,
	`task_id` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `search_task_task` ON `search_task` (`account_id`,`task_id`);--> statement-breakpoint
ALTER TABLE `activity` ADD `tool` text;--> statement-breakpoint
ALTER TABLE `api_key` ADD `leash` text;--> statement-breakpoint
CREATE VIRTUAL TABLE `search` USING fts5(account, title, tabs, urls, notes, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2 categories 'L* N* Co M* So'");
