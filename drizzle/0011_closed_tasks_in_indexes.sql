DROP INDEX `record_open`;--> statement-breakpoint
DROP INDEX `record_folder`;--> statement-breakpoint
CREATE INDEX `record_open` ON `record` (`account_id`,`open`,`changed_at`,`id`) WHERE tbl = 'sync_tasks' and live = 1;--> statement-breakpoint
CREATE INDEX `record_folder` ON `record` (`account_id`,`folder_id`,`open`,`changed_at`,`id`) WHERE tbl = 'sync_tasks' and live = 1;