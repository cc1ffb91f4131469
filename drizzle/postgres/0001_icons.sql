create table "icon" (
  "account_id" bigint not null,
  "host" text collate "C" not null,
  "png" bytea not null,
  "at" bigint not null,
  rowid bigint generated always as identity unique,
  primary key ("account_id", "host")
);

alter table "icon" add foreign key ("account_id") references "account" ("id");

create index "icon_at" on "icon" ("account_id", "at");
