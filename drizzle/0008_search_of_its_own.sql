DROP TABLE `search`;--> statement-breakpoint
DROP TABLE `tab_url`;--> statement-breakpoint
DROP TABLE `search_task`;