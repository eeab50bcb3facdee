/** What spec 2.6, 2.7, 4.10 and 4.11 promise of GetTTSVoices and GetCenterQueues. */
export const requirements = {
  '2.6/fields': 'every field of a voice',
  '2.6/sample': 'cdwv_sample is an MP3 that plays',
  '4.10/voices': 'voices for all accounts, and this one’s',
  '4.10/third-party': 'third parties’ voices are listed and refused in MakeTTSCall',
  '4.10/failure': 'a failure keeps an empty list',
  '2.7/fields': 'every field of a queue, with its type and shape',
  '2.7/empty': 'what was never set is empty, and not absent',
  '4.11/queues': 'every active queue of the account, and no other',
  '4.11/sorted': 'alphabetically by name',
  '7/GetCenterQueues/240': 'the query failed',
} as const;
