DROP INDEX `record_folder`;--> statement-breakpoint
CREATE INDEX `record_folder` ON `record` (`account_id`,`folder_id`,`open`,`changed_at`,`id`) WHERE tbl = 'sync_tasks' and live = 1;