CREATE TABLE `icon` (
	`account_id` integer NOT NULL,
	`host` text NOT NULL,
	`png` blob NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `host`),
	FOREIGN KEY (`account_id`) REFERENCES `account`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `icon_at` ON `icon` (`account_id`,`at`);