import { type Kysely, sql } from 'kysely'
import { SettingError } from '../../../../process/settings.ts'
import type { Dialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/**
 * The steps from an empty database to today's, in order. A step that has run anywhere is never changed; a new one is
 * added below it. Statements are written for both databases; `{json}`, `{micros}`, `{desc}`, `{word_index}`,
 * `{name_words}` and `{word_folding}` are replaced by the dialect's own.
 */
const steps: readonly (readonly string[])[] = [
  [
    `create table apps (id text primary key, key text not null unique, secret text not null, name text not null,
      created_at {micros} not null)`,
    `create table users (app text not null, id text not null, role text not null, name text, image text,
      language text not null, invisible integer not null, teams_json text, teams_role_json text,
      privacy_json text, data {json} not null, created_at {micros} not null, updated_at {micros} not null,
      last_active {micros}, deactivated_at {micros}, deleted_at {micros}, revoke_before {micros},
      primary key (app, id))`,
    'create index users_by_creation on users (app, created_at, id)',
    `create table channels (app text not null, cid text not null, type text not null, id text not null,
      created_by text not null, team text, name text, image text, frozen integer not null,
      disabled integer not null, cooldown integer not null, data {json} not null, distinct_members text,
      created_at {micros} not null, updated_at {micros} not null, last_message_at {micros},
      activity_at {micros} not null, member_count integer not null, seq {micros} not null,
      counted integer not null, event_at {micros} not null, truncated_at {micros}, deleted_at {micros},
      primary key (app, cid))`,
    'create index channels_by_activity on channels (app, activity_at {desc}, cid)',
    'create index channels_by_last_message on channels (app, last_message_at {desc}, cid)',
    'create unique index channels_by_members on channels (app, type, distinct_members)',
    `create table members (app text not null, cid text not null, user_id text not null, channel_role text not null,
      status text not null, data {json} not null, created_at {micros} not null, updated_at {micros} not null,
      banned integer not null, shadow_banned integer not null, hidden integer not null, hide_before {micros},
      pinned_at {micros}, archived_at {micros}, primary key (app, cid, user_id))`,
    'create index members_by_user on members (app, user_id, cid)',
    'create index members_by_arrival on members (app, cid, created_at)',
    `create table reads (app text not null, cid text not null, user_id text not null, last_read {micros} not null,
      last_read_message_id text, ordinal integer not null, own_after integer not null,
      primary key (app, cid, user_id))`,
    `create table messages (app text not null, id text not null, cid text not null, user_id text not null,
      type text not null, text text not null, created_at {micros} not null, updated_at {micros} not null,
      text_updated_at {micros}, deleted_at {micros}, ordinal integer not null, counted integer not null,
      silent integer not null, parent_id text, show_in_channel integer not null, quoted_message_id text,
      reply_count integer not null, deleted_reply_count integer not null, thread_participants_json text,
      attachments_json text, mentions_json text, reaction_groups_json text, pinned_at {micros},
      pinned_by text, pin_expires {micros}, data {json} not null, primary key (app, id))`,
    `create index messages_in_channel on messages (app, cid, created_at)
      where parent_id is null or show_in_channel = 1`,
    'create index messages_in_thread on messages (app, parent_id, created_at) where parent_id is not null',
    'create index messages_pinned on messages (app, cid, pinned_at) where pinned_at is not null',
    'create index messages_by_ordinal on messages (app, cid, ordinal) where counted = 1',
    `create table uncounted (app text not null, cid text not null, ordinal integer not null, user_id text not null,
      primary key (app, cid, ordinal))`,
    `create table reactions (app text not null, message_id text not null, user_id text not null, type text not null,
      score integer not null, data {json} not null, created_at {micros} not null, updated_at {micros} not null,
      primary key (app, message_id, user_id, type))`,
    'create index reactions_by_age on reactions (app, message_id, created_at)',
    `create table events (app text not null, cid text not null, seq {micros} not null, at {micros} not null,
      type text not null, user_id text, body text not null, primary key (app, cid, seq))`,
    'create index events_by_age on events (at)',
  ],
  [
    `create table user_mutes (app text not null, user_id text not null, target_id text not null,
      created_at {micros} not null, updated_at {micros} not null, until {micros},
      primary key (app, user_id, target_id, created_at))`,
    `create table channel_mutes (app text not null, user_id text not null, cid text not null,
      created_at {micros} not null, updated_at {micros} not null, until {micros}, primary key (app, user_id, cid))`,
  ],
  [
    `create table bans (app text not null, target_id text not null, cid text not null, banned_by text, reason text,
      shadow integer not null, created_at {micros} not null, expires {micros}, lapsed integer not null,
      primary key (app, target_id, cid))`,
    'create index bans_by_age on bans (app, created_at)',
    'create index bans_by_end on bans (expires) where lapsed = 0',
    'alter table users add column banned integer not null default 0',
    'alter table users add column shadow_banned integer not null default 0',
    'alter table users add column ban_expires {micros}',
    'alter table members add column ban_expires {micros}',
    'alter table messages add column shadowed integer not null default 0',
  ],
  [
    `create table threads (app text not null, id text not null, cid text not null, created_by text not null,
      title text, data {json} not null, created_at {micros} not null, updated_at {micros} not null,
      last_message_at {micros} not null, primary key (app, id))`,
    `create table thread_participants (app text not null, thread_id text not null, user_id text not null,
      created_at {micros} not null, last_read {micros} not null, last_read_message_id text,
      last_message_at {micros}, primary key (app, thread_id, user_id))`,
    'create index thread_participants_by_user on thread_participants (app, user_id, thread_id)',
    // Replies from before there were threads create theirs, read by all participants.
    `insert into threads select p.app, p.id, p.cid, (select r.user_id from messages r where r.app = p.app
        and r.parent_id = p.id order by r.created_at limit 1), null, cast('{}' as {json}), min(a.created_at),
        max(a.created_at), max(a.created_at)
      from messages p join messages a on a.app = p.app and a.parent_id = p.id group by p.app, p.id, p.cid`,
    `insert into thread_participants select t.app, t.id, r.user_id, min(r.created_at), t.last_message_at,
        cast(null as text), max(r.created_at)
      from threads t join messages r on r.app = t.app and r.parent_id = t.id
      group by t.app, t.id, r.user_id, t.last_message_at`,
    `insert into thread_participants select t.app, t.id, p.user_id, t.created_at - 1, t.last_message_at,
        cast(null as text), cast(null as {micros})
      from threads t join messages p on p.app = t.app and p.id = t.id
      where not exists (select 1 from thread_participants x where x.app = t.app and x.thread_id = t.id
        and x.user_id = p.user_id)`,
  ],
  [
    `create table drafts (app text not null, user_id text not null, place text not null, cid text not null,
      parent_id text, message_json text not null, created_at {micros} not null, primary key (app, user_id, place))`,
  ],
  [
    'alter table channels add column hidden_by_some integer not null default 0',
    'create index members_hidden on members (app, cid) where hidden = 1',
  ],
  [
    `create table flags (app text not null, user_id text not null, subject text not null, cid text, message_id text,
      target_id text not null, reason text, data {json} not null, created_at {micros} not null,
      updated_at {micros} not null, primary key (app, subject, user_id))`,
    'create index flags_by_age on flags (app, created_at)',
  ],
  [
    'alter table members add column invite_accepted_at {micros}',
    'alter table members add column invite_rejected_at {micros}',
  ],
  [
    `create table tasks (app text not null, id text not null, kind text not null, status text not null,
      input_json text not null, progress_json text, result_json text, error_json text, attempts integer not null,
      claim text, claimed_until {micros} not null, created_at {micros} not null, updated_at {micros} not null,
      primary key (app, id))`,
    "create index tasks_to_do on tasks (created_at) where status in ('waiting', 'running')",
    'create index tasks_by_age on tasks (updated_at)',
  ],
  [
    `create table due (app text not null, kind text not null, id text not null, cid text not null,
      at {micros} not null, primary key (app, kind, id))`,
    'create index due_by_time on due (at)',
    `create table pending_messages (app text not null, id text not null, cid text not null, user_id text not null,
      row_json text not null, metadata_json text, created_at {micros} not null, primary key (app, id))`,
    'create index pending_messages_of_users on pending_messages (app, user_id, cid, created_at)',
  ],
  [
    `create table blocks (app text not null, user_id text not null, blocked_id text not null,
      created_at {micros} not null, primary key (app, user_id, blocked_id))`,
    'create index blocks_by_blocked on blocks (app, blocked_id)',
    'alter table members add column blocked integer not null default 0',
    'create index members_blocked on members (app, user_id) where blocked = 1',
  ],
  [
    `create table polls (app text not null, id text not null, name text not null, description text not null,
      voting_visibility text not null, enforce_unique_vote integer not null, max_votes_allowed integer,
      allow_user_suggested_options integer not null, allow_answers integer not null, is_closed integer not null,
      options_json text not null, counts_json text not null, answers_count integer not null,
      voted_at {micros} not null, created_by text not null, data {json} not null, created_at {micros} not null,
      updated_at {micros} not null, primary key (app, id))`,
    'create index polls_by_creation on polls (app, created_at, id)',
    `create table poll_votes (app text not null, id text not null, poll_id text not null, user_id text not null,
      option_id text not null, answer_text text, created_at {micros} not null, updated_at {micros} not null,
      primary key (app, id))`,
    'create unique index poll_votes_by_user on poll_votes (app, poll_id, user_id, option_id)',
    'create index poll_votes_by_age on poll_votes (app, poll_id, created_at)',
    'create index poll_votes_by_option on poll_votes (app, option_id, created_at)',
    "create index poll_answers_by_age on poll_votes (app, poll_id, created_at) where option_id = ''",
    'alter table messages add column poll_id text',
    'create index messages_with_poll on messages (app, poll_id) where poll_id is not null',
  ],
  [
    "alter table apps add column settings_json text not null default '{}'",
    `create table app_rules (app text not null, kind text not null, name text not null, body_json text not null,
      created_at {micros} not null, updated_at {micros} not null, primary key (app, kind, name))`,
    'alter table channels add column overrides_json text',
  ],
  [
    'alter table messages add column command text',
    'alter table messages add column args text',
    `create table ephemeral_messages (app text not null, id text not null, cid text not null, user_id text not null,
      command text not null, args text not null, message_json text not null, created_at {micros} not null,
      expires {micros} not null, primary key (app, id))`,
    'create index ephemeral_messages_by_end on ephemeral_messages (expires)',
  ],
  [
    '{word_index}',
    // Messages from before there was an index are added to it while the server runs, from this place on.
    'create table unindexed_after (app text not null, id text not null)',
    "insert into unindexed_after select '', '' where exists (select 1 from messages)",
  ],
  [
    `create table files (id text not null primary key, app text not null, kind text not null, cid text,
      user_id text not null, name text not null, mime_type text not null, size integer not null, width integer,
      height integer, created_at {micros} not null)`,
    `create table file_variants (file_id text not null, variant text not null, mime_type text not null,
      size integer not null, primary key (file_id, variant))`,
    'create table keys (name text not null primary key, value text not null)',
  ],
  [
    'alter table messages add column restricted_json text',
    'alter table messages add column audience_json text',
    'create index messages_restricted on messages (app, cid, ordinal) where audience_json is not null',
    'alter table events add column users_json text',
  ],
  [
    'alter table flags add column reviewed_at {micros}',
    'alter table flags add column reviewed_by text',
    `create table flag_reports (app text not null, id text not null, cid text not null, message_user_id text not null,
      flags_count integer not null, created_at {micros} not null, updated_at {micros} not null, review_result text,
      review_details_json text, reviewed_at {micros}, reviewed_by text, primary key (app, id))`,
    'create index flag_reports_by_age on flag_reports (app, created_at, id)',
    `insert into flag_reports select app, message_id, min(cid), min(target_id), count(*), min(created_at),
        max(created_at), cast(null as text), cast(null as text), cast(null as {micros}), cast(null as text)
      from flags where message_id is not null group by app, message_id`,
  ],
  ['create index files_by_user on files (app, user_id, id)'],
  [
    `create table message_versions (app text not null, message_id text not null, written_at {micros} not null,
      written_by text not null, replaced_at {micros} not null, replaced_by text not null, text text not null,
      attachments_json text, data {json} not null, primary key (app, message_id, written_at))`,
    'create index message_versions_by_writer on message_versions (app, written_by, written_at)',
    'create index message_versions_by_age on message_versions (app, written_at)',
  ],
  [
    `create table deleted_for_me (app text not null, cid text not null, user_id text not null,
      message_id text not null, at {micros} not null, primary key (app, message_id, user_id))`,
    'create index deleted_for_me_of_users on deleted_for_me (app, user_id, cid)',
    'alter table messages add column extras_json text',
  ],
  [
    'alter table users add column deleted_how text',
    'create index messages_by_author on messages (app, user_id, cid, created_at)',
    'create index reactions_by_user on reactions (app, user_id, message_id)',
    'create index channels_by_creator on channels (app, created_by)',
  ],
  // A poll's own time of change is enough to put its votes in order.
  ['alter table polls drop column voted_at'],
  [
    'alter table users add column name_key text',
    "update users set name_key = lower(replace(replace(replace(name, ' ', ''), '-', ''), '.', '')) where name <> ''",
    'create index users_by_name_key on users (app, name_key)',
    `create table devices (app text not null, user_id text not null, id text not null, push_provider text not null,
      push_provider_name text, voip integer not null, hardware_id text, created_at {micros} not null,
      disabled_reason text, primary key (app, id))`,
    'create index devices_by_user on devices (app, user_id, created_at)',
    `create table push_preferences (app text not null, user_id text not null, cid text not null,
      levels_json text not null, disabled_until {micros}, primary key (app, user_id, cid))`,
  ],
  [
    `create table reminders (app text not null, user_id text not null, message_id text not null, cid text not null,
      remind_at {micros}, created_at {micros} not null, updated_at {micros} not null,
      primary key (app, user_id, message_id))`,
    'create index reminders_by_time on reminders (app, user_id, remind_at)',
  ],
  [
    `create table live_locations (app text not null, message_id text not null, cid text not null,
      user_id text not null, end_at {micros} not null, primary key (app, message_id))`,
    'create index live_locations_of_users on live_locations (app, user_id)',
    'create index live_locations_in_channels on live_locations (app, cid)',
    `create table deliveries (app text not null, cid text not null, user_id text not null, message_id text not null,
      message_at {micros} not null, delivered_at {micros} not null, primary key (app, cid, user_id))`,
  ],
  [
    'alter table channels add column auto_translation_enabled integer not null default 0',
    'alter table channels add column auto_translation_language text',
  ],
  ['alter table channels add column truncated_by text'],
  [
    'alter table channels add column message_count integer not null default 0',
    `update channels set message_count = (select count(*) from messages m where m.app = channels.app
      and m.cid = channels.cid and (m.parent_id is null or m.show_in_channel = 1) and m.deleted_at is null
      and m.shadowed = 0 and m.created_at >= coalesce(channels.truncated_at, 0))`,
  ],
  [
    `create table future_bans (app text not null, banned_by text not null, target_id text not null, reason text,
      shadow integer not null, created_at {micros} not null, expires {micros},
      primary key (app, banned_by, target_id))`,
    'create index future_bans_by_target on future_bans (app, target_id)',
  ],
  [
    `create table user_networks (app text not null, user_id text not null, network text not null,
      seen_at {micros} not null, primary key (app, user_id, network))`,
    'create index user_networks_by_age on user_networks (seen_at)',
    `create table banned_networks (app text not null, target_id text not null, network text not null,
      shadow integer not null, expires {micros}, primary key (app, target_id, network))`,
  ],
  [
    'create index channels_by_id on channels (app, id)',
    'create index users_by_role on users (app, role)',
    'create index user_mutes_by_target on user_mutes (app, target_id)',
    'create index flags_by_user on flags (app, user_id)',
    'create index flags_by_target on flags (app, target_id)',
    'create index deliveries_by_user on deliveries (app, user_id)',
    'create index poll_answers_by_user on poll_votes (app, user_id) where answer_text is not null',
    'create index bans_by_banner on bans (app, banned_by)',
  ],
  ['create index members_hiding on members (app, user_id) where hidden = 1'],
  ['alter table pending_messages add column skip_push integer not null default 0'],
  ['alter table thread_participants add column left_at {micros}'],
  [
    `create table unread_reminders (app text not null, cid text not null, user_id text not null, at {micros} not null,
      primary key (app, cid, user_id))`,
    'create index unread_reminders_by_age on unread_reminders (app, at)',
    'create table unread_looks (app text not null primary key, at {micros} not null)',
  ],
  ['create index events_of_channels on events (app, cid, at)'],
  [
    "create index files_of_apps on files (created_at) where kind in ('export', 'import')",
    `create table imports (app text not null, id text not null, path text not null, mode text not null,
      merge_custom integer not null, state text not null, size integer not null, result_json text,
      history_json text not null, created_at {micros} not null, updated_at {micros} not null, primary key (app, id))`,
    'create index imports_by_age on imports (app, created_at)',
    `create table import_items (app text not null, import_id text not null, name text not null, about text,
      primary key (app, import_id, name))`,
  ],
  [
    `create table segments (app text not null, id text not null, key text not null, type text not null,
      name text not null, description text not null, filter_json text, all_users integer not null,
      all_sender_channels integer not null, size integer not null, task_id text, created_at {micros} not null,
      updated_at {micros} not null, primary key (app, id))`,
    'create index segments_by_age on segments (app, created_at)',
    `create table segment_targets (app text not null, segment text not null, target_id text not null,
      created_at {micros} not null, primary key (app, segment, target_id))`,
    `create table campaigns (app text not null, id text not null, key text not null, name text not null,
      description text not null, sender_id text not null, segment_ids_json text not null, user_ids_json text not null,
      plan_json text not null, status text not null, scheduled_for {micros}, stop_at {micros}, run text,
      started_at {micros}, completed_at {micros}, targets integer not null, done integer not null,
      users_sent integer not null, users_read integer not null, channels_created integer not null,
      messages_sent integer not null, created_at {micros} not null, updated_at {micros} not null,
      primary key (app, id))`,
    'create index campaigns_by_status on campaigns (app, status)',
    'create index campaigns_by_age on campaigns (app, created_at)',
    `create table campaign_targets (app text not null, run text not null, target_id text not null,
      made integer not null, message_id text, primary key (app, run, target_id))`,
  ],
  [
    'alter table users add column bypass_moderation integer not null default 0',
    // An engine may find several things in one message, and other things than messages and users are flagged.
    'alter table flags rename to flags_before',
    `create table flags (app text not null, subject text not null, user_id text not null, n integer not null,
      type text not null, entity_type text not null, entity_id text not null, cid text, message_id text,
      target_id text not null, reason text, data {json} not null, created_at {micros} not null,
      updated_at {micros} not null, reviewed_at {micros}, reviewed_by text, primary key (app, subject, user_id, n))`,
    `insert into flags select app, subject, user_id, 0, case when user_id = '' then 'blocklist' else 'user_report' end,
        case when message_id is null then 'stream:user' else 'stream:chat:v1:message' end,
        coalesce(message_id, target_id), cid, message_id, target_id, reason, data, created_at, updated_at, reviewed_at,
        reviewed_by
      from flags_before`,
    'drop table flags_before',
    'create index flags_by_age on flags (app, created_at)',
    'create index flags_by_user on flags (app, user_id)',
    'create index flags_by_target on flags (app, target_id)',
    'create index flags_in_channels on flags (app, cid)',
    'create index flag_reports_in_channels on flag_reports (app, cid)',
    `create table review_items (app text not null, id text not null, subject text not null, entity_type text not null,
      entity_id text not null, creator_id text, cid text, teams_json text not null, payload_json text not null,
      data {json} not null, has_text integer not null, has_image integer not null, has_video integer not null,
      has_media integer not null, config_key text, recommended_action text not null, severity integer not null,
      flags_count integer not null, labels_json text not null, latest_action text not null, held_json text,
      escalation_json text, escalated_at {micros}, escalated_by text, assigned_to text, assigned_until {micros},
      reviewed_at {micros}, reviewed_by text, created_at {micros} not null, updated_at {micros} not null,
      primary key (app, id))`,
    'create unique index review_items_by_subject on review_items (app, subject)',
    'create index review_items_by_age on review_items (app, created_at, id)',
    'create index review_items_by_creator on review_items (app, creator_id, created_at)',
    'create index review_items_by_channel on review_items (app, cid)',
    'create index review_items_assigned on review_items (app, assigned_to) where assigned_to is not null',
    `create table review_actions (app text not null, id text not null, item_id text not null, type text not null,
      reason text not null, user_id text not null, target_user_id text not null, reporter_type text not null,
      data {json} not null, created_at {micros} not null, primary key (app, id))`,
    'create index review_actions_of_items on review_actions (app, item_id, created_at)',
    'create index review_actions_by_target on review_actions (app, target_user_id, type)',
    'create index review_actions_by_age on review_actions (app, created_at, id)',
    `create table bounced_messages (app text not null, id text not null, user_id text not null, at {micros} not null,
      primary key (app, id, user_id))`,
    'create index bounced_messages_by_age on bounced_messages (at)',
  ],
  [
    `create table usage_days (app text not null, team text not null, day text not null, node text not null,
      messages integer not null, translations integer not null, users_peak integer not null,
      connections_peak integer not null, primary key (app, team, day, node))`,
    'create index usage_days_by_day on usage_days (app, day, team)',
    `create table usage_users (app text not null, team text not null, day text not null, user_id text not null,
      wrote integer not null, primary key (app, team, day, user_id))`,
    'create index usage_users_by_day on usage_users (app, day, team)',
    'create index usage_users_by_user on usage_users (app, user_id)',
  ],
  [
    'alter table users add column answers integer not null default 0',
    'alter table users add column answer_micros {micros} not null default 0',
  ],
  [
    "alter table tasks add column lane text not null default ''",
    "update tasks set lane = kind || ' ' || app where status in ('waiting', 'running')",
    'drop index tasks_to_do',
    "create index tasks_to_do on tasks (lane, created_at) where status in ('waiting', 'running')",
  ],
  ['alter table poll_votes add column shadowed integer not null default 0'],
  ['create index pending_messages_of_channels on pending_messages (app, cid)'],
  ['create index polls_by_creator on polls (app, created_by)'],
  [
    // One way to the events of a channel, in the order of time and number alike: each message writes to every way.
    `create table events_in_order (app text not null, cid text not null, seq {micros} not null, at {micros} not null,
      type text not null, user_id text, body text not null, users_json text, primary key (app, cid, at, seq))`,
    `insert into events_in_order select app, cid, seq, at, type, user_id, body, users_json from events order by at`,
    'drop table events',
    'alter table events_in_order rename to events',
    'create index events_by_age on events (at)',
  ],
  ['alter table pending_messages add column verdict_json text'],
  ['alter table events add column except_id text'],
  [
    'create index bans_in_channels on bans (app, cid)',
    'create index channel_mutes_of_channels on channel_mutes (app, cid)',
    'create index push_preferences_in_channels on push_preferences (app, cid)',
    'create index drafts_in_channels on drafts (app, cid)',
    'create index reminders_in_channels on reminders (app, cid)',
  ],
  [
    // Earlier file URLs do not contain the owner; with no files there is nothing to look up.
    `insert into keys (name, value) select 'files without app', 'yes' from files limit 1`,
  ],
  ['{name_words}'],
  ['create table commit_marks (node text primary key, number {micros} not null, at {micros} not null)'],
  // Visible to its author only: on the wire an empty list means everyone.
  [`update messages set restricted_json = '["' || user_id || '"]' where restricted_json = '[]'`],
  [
    'alter table files add column named_at {micros} not null default 0',
    'create index files_by_naming on files (app, named_at)',
  ],
  [
    '{word_folding}',
    // Messages that were indexed before are found by their words as they are folded now, after some time.
    'delete from unindexed_after',
    `insert into unindexed_after (app, id) select '', '' from messages limit 1`,
  ],
]

/**
 * Migrates the database to today's version, inside one transaction.
 * @throws SettingError when the database was written by a newer version, or by the web app
 */
export async function migrate(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const { json, micros, desc } = dialect.columnTypes
  await db.transaction().execute(async (tx) => {
    await dialect.lockForMigration?.execute(tx)
    await sql`create table if not exists schema_version (version integer not null)`.execute(tx)
    const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(tx)
    const version = rows[0]?.version ?? 0
    if (version > steps.length)
      throw new SettingError(
        `DATABASE_URL is a database of version ${version}, and this server knows ${steps.length}. Start a newer server.`,
      )
    if (version === steps.length) return
    if (version === 0) await refuseWebApps(tx, dialect)

    for (const step of steps.slice(version))
      for (const statement of step.flatMap((text) => statementsOf(dialect, text)))
        await sql
          .raw(statement.replaceAll('{json}', json).replaceAll('{micros}', micros).replaceAll('{desc}', desc))
          .execute(tx)
    await sql`delete from schema_version`.execute(tx)
    await sql`insert into schema_version (version) values (${steps.length})`.execute(tx)
  })
}

/** Tables that only the web app has. */
const ofWebApp = ['organization', 'member', 'invitation', 'session']

async function refuseWebApps(db: Kysely<Tables>, { name }: Dialect): Promise<void> {
  const { rows } =
    name === 'postgres'
      ? await sql<{
          name: string
        }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
      : await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)
  if (ofWebApp.every((each) => rows.some(({ name }) => name === each)))
    throw new SettingError('DATABASE_URL is the database of a web app; give the chat server one of its own.')
}

function statementsOf(dialect: Dialect, text: string): string | readonly string[] {
  if (text === '{word_index}') return dialect.wordIndex
  if (text === '{word_folding}') return dialect.wordFolding
  return text === '{name_words}' ? dialect.nameWords : text
}
