/** Fields of a message that are not custom data. */
export const messageFields: ReadonlySet<string> = new Set(
  `id cid text html mml type user user_id created_at updated_at deleted_at attachments mentioned_users latest_reactions
   own_reactions reaction_counts reaction_scores reaction_groups reply_count deleted_reply_count silent shadowed pinned
   pinned_at pinned_by pin_expires restricted_visibility parent_id show_in_channel thread_participants
   quoted_message_id quoted_message poll_id poll command args command_info i18n message_text_updated_at message_updated_by_id
   deleted_for_me member draft reminder shared_location moderation status error priority image_labels channel`.split(
    /\s+/,
  ),
)
