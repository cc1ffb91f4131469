ALTER TABLE `version` ADD `via` text;--> statement-breakpoint
ALTER TABLE `account` ADD `history_since` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account` ADD `restores` text;--> statement-breakpoint
ALTER TABLE `record` ADD `protected_at` integer;--> statement-breakpoint
UPDATE `record` SET `protected_at` = `changed_at` WHERE `agent_children` IS NOT NULL OR `guards` IS NOT NULL OR `writer_kind` IN ('api_key', 'person');--> statement-breakpoint
UPDATE `account` SET `history_since` = coalesce((SELECT min(`stamp`) FROM `version` WHERE `account_id` = `account`.`id`), `hw`);
