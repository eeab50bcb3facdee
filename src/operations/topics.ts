/** What operations are about: how the reference, the collections and the client's page group them. */
export const operationTopicTitles = {
  calls: 'Calls',
  campaigns: 'Campaigns',
  lists: 'Destination lists',
  audio: 'Audio and voices',
  queues: 'Queues',
  sms: 'SMS',
  msgapp: 'Chat app',
  templates: 'Chat-app templates',
  pages: 'Pages and photo accounts',
} as const;

export type OperationTopic = keyof typeof operationTopicTitles;
