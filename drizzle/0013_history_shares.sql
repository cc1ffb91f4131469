DROP INDEX `version_size`;--> statement-breakpoint
ALTER TABLE `version` ADD `key_size` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `version` ADD `charged_to` text;--> statement-breakpoint
CREATE INDEX `version_charged` ON `version` (`account_id`,`charged_to`,`id`) WHERE charged_to is not null;--> statement-breakpoint
CREATE INDEX `version_size` ON `version` (`account_id`,`id`,`size`,`key_size`);--> statement-breakpoint
ALTER TABLE `api_key` ADD `history_size` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `account` ADD `keys_history_size` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `version` SET `key_size` = `size`, `charged_to` = `by_id` WHERE `by_kind` = 'api_key' AND `digest` IS NULL;--> statement-breakpoint
UPDATE `version` SET `key_size` = `size` WHERE `loss` = 'undone';--> statement-breakpoint
UPDATE `api_key` SET `history_size` = coalesce((SELECT sum(`key_size`) FROM `version` WHERE `version`.`account_id` = `api_key`.`account_id` AND `charged_to` = `api_key`.`id` AND `charged_to` IS NOT NULL), 0);--> statement-breakpoint
UPDATE `account` SET `history_size` = coalesce((SELECT sum(`size` - `key_size`) FROM `version` WHERE `version`.`account_id` = `account`.`id`), 0),
  `keys_history_size` = coalesce((SELECT sum(`key_size`) FROM `version` WHERE `version`.`account_id` = `account`.`id` AND `charged_to` IS NOT NULL), 0);
