ALTER TABLE `file_import` ADD `upload` text;--> statement-breakpoint
ALTER TABLE `file_import` ADD `total` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `file_import` ADD `left_out` text;