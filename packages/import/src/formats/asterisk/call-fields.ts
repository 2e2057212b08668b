// What the columns of Asterisk's call detail records mean, by its own names, which FreePBX has kept.

/**
 * What tells the legs of one uniqueid apart: the sequence where it is logged, else which channel was called, when, by which
 * application, and which file it was recorded in.
 */
export const legIdentity = ["{sequence}", "{dstchannel}", "{recordingfile}", "{lastapp}"];

/** Those under which both name the same; the time and the number called stand under names of their own. */
export const callFields = {
  call_id: "{uniqueid}",
  ref_id: "{linkedid}",
  ani: "{src}",
  campaign: "{accountcode}",
  skill: "{dcontext}",
  disposition: "{disposition}",
  talk_time: { from: "{billsec}", as: "duration" },
  handle_time: { from: "{billsec}", as: "duration" },
  ivr_path: "{lastapp}",
  media: "voice",
  custom_field_1: "{userfield}",
} as const;
