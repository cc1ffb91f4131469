DROP INDEX `record_gone`;--> statement-breakpoint
CREATE INDEX `record_bucket_changed` ON `record` (`account_id`,`bucket_id`,`changed_at`,`id`) WHERE bucket_id is not null and deleted_at is null;--> statement-breakpoint
CREATE INDEX `record_trash` ON `record` (`account_id`,`id`) WHERE tbl = 'sync_buckets' and trashed = 1;--> statement-breakpoint
CREATE INDEX `record_gone` ON `record` (`account_id`,`changed_at`,`tbl`,`id`) WHERE deleted_at is not null;