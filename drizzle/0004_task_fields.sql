ALTER TABLE `record` ADD `due` text;--> statement-breakpoint
ALTER TABLE `record` ADD `tags` text;--> statement-breakpoint
CREATE INDEX `record_due` ON `record` (`account_id`,`due`) WHERE due is not null;
--> rebuild-projections
