/** What the resources of the admin API are called in English, by `nameOf`. */
export interface Name {
  many: string;
  one: string;
  /** What they are for. */
  says: string;
  /** What to do where there is none yet. */
  first: string;
}

/** What else can be done. */
export interface ConsoleActionLabel {
  title: string;
  verb: string;
}

export const consoleActionLabelsEn: Readonly<Record<string, ConsoleActionLabel>> = {
  'accounts.webhook-secret': { title: 'Secret of callbacks', verb: 'Make a new secret' },
  'accounts.callback-test': { title: 'Test callback', verb: 'Send a test event' },
  'accounts.voices.try': { title: 'Try a text aloud', verb: 'Speak it' },
  'accounts.audios.upload': { title: 'Audio of a sound file', verb: 'Bring the file' },
  'accounts.blocklist.import': { title: 'Block the numbers of a file', verb: 'Put them on the list' },
  'accounts.blocklist.remove': { title: 'Unblock the numbers of a file', verb: 'Take them off the list' },
  'accounts.templates.review': { title: 'Review', verb: 'Submit for review' },
  'accounts.templates.former': {
    title: 'Earlier version at the platform',
    verb: 'Delete it there',
  },
  'accounts.delivery-profiles.test': { title: 'Test', verb: 'Put a small file there' },
  'accounts.deliveries.replay': { title: 'Send dead letters again', verb: 'Replay' },
};

export const resourceNamesEn: Readonly<Record<string, Name>> = {
  sessions: {
    many: 'Sessions',
    one: 'Session',
    says: 'Browsers that are signed in. Ending one signs it out at once.',
    first: 'No browser is signed in.',
  },
  operators: {
    many: 'Operators',
    one: 'Operator',
    says: 'People with a key of their own, so that the audit log says who did what.',
    first:
      'Make one for each person. The key is shown once: hand it over, and it opens the console and the API.',
  },
  audit: {
    many: 'Audit log',
    one: 'Entry',
    says: 'What was changed, which tokens were used, and who was turned away, newest first.',
    first: 'Nothing was changed, used or refused in this time.',
  },
  lockouts: {
    many: 'Addresses kept out',
    one: 'Address',
    says: 'Too many wrong keys or tokens came from them. Removing one lets it in again.',
    first: 'No address is kept out.',
  },
  'trunk-servers': {
    many: 'Trunk servers',
    one: 'Trunk server',
    says: 'Where trunks are: Asterisks, or the sandbox. Draining lets calls end.',
    first: 'The settings make the first one. Make another for a second Asterisk.',
  },
  trunks: {
    many: 'Trunks',
    one: 'Trunk',
    says: 'Ways to the telephone network: what each bears, carries and costs.',
    first: 'The settings make the first trunk. Make another for a second carrier.',
  },
  'trunk-routes': {
    many: 'Trunk routes',
    one: 'Trunk route',
    says: 'Which trunks carry which numbers, and in which order.',
    first: 'Without a route every trunk is used, in the order in which they were made.',
  },
  voices: {
    many: 'Voices for all accounts',
    one: 'Voice',
    says: 'Voices that every account may speak with.',
    first: 'Add a voice of a provider that speaks here.',
  },
  nodes: {
    many: 'Nodes',
    one: 'Node',
    says: 'Processes of this service, by part of the database (shard), and when each was heard last.',
    first: 'No node has been heard yet.',
  },
  accounts: {
    many: 'Accounts',
    one: 'Account',
    says: 'Each customer, shop or department is an account, with its own tokens, money, lines and lists.',
    first: 'Make an account, then a token for the program that calls.',
  },
  'accounts.tokens': {
    many: 'Tokens',
    one: 'Token',
    says: 'What programs of the account show. Each may be narrowed to addresses, tools and a rate.',
    first: 'Make a token: it is shown once, and the account’s programs send it with every request.',
  },
  'accounts.credits': {
    many: 'Ledger',
    one: 'Entry',
    says: 'All that moved on the balance, newest first. Nothing in it is changed: a mistake is booked against.',
    first: 'Book a first amount, and messages can be paid from it.',
  },
  'accounts.messages': {
    many: 'Messages',
    one: 'Message',
    says: 'SMS and chat messages of the account, how far each came, and what the carrier answered.',
    first: 'No message was sent. MakeSMS and MakeMsgapp send one.',
  },
  'accounts.events': {
    many: 'Events',
    one: 'Event',
    says: 'What happened to calls and messages, oldest first, as callbacks tell it.',
    first: 'Nothing has happened to a call or a message yet.',
  },
  'accounts.agents': {
    many: 'Agents',
    one: 'Agent',
    says: 'People on a SIP phone, or a program on a web socket, that calls are transferred to.',
    first: 'Make an agent with its SIP address, and name it in a transfer.',
  },
  'accounts.caller-id-pools': {
    many: 'Caller ids',
    one: 'Pool of caller ids',
    says: 'What calls show where the request names no caller id: by area code, by turns, or fixed.',
    first: 'Without a pool every call shows the default caller id of the account.',
  },
  'accounts.caller-id-pools.hour': {
    many: 'In the last hour',
    one: 'Caller id',
    says: 'How often each was shown, and how many of its calls were answered.',
    first: 'The pool has no caller ids.',
  },
  'accounts.queues': {
    many: 'Queues',
    one: 'Queue',
    says: 'Callers wait in a queue, and its members are rung by its strategy.',
    first: 'Make a queue, and give it the telephones of those who answer.',
  },
  'accounts.voices': {
    many: 'Voices',
    one: 'Voice',
    says: 'Voices of this account alone, beside those for all accounts.',
    first: 'Add a voice of a provider that speaks here.',
  },
  'accounts.audios': {
    many: 'Audio',
    one: 'Audio',
    says: 'What calls play: uploaded, spoken from a text, or recorded.',
    first: 'No audio yet. Make one of a text, or bring a sound file.',
  },
  'accounts.lists': {
    many: 'Lists',
    one: 'List',
    says: 'Files of numbers, for campaigns.',
    first: 'No list yet. CreateDestinationBase, or a campaign, loads one from a CSV file.',
  },
  'accounts.lists.rejects': {
    many: 'Refused rows',
    one: 'Row',
    says: 'Rows of the file that are on no list, and why.',
    first: 'No row was refused.',
  },
  'accounts.blocklist': {
    many: 'Block list',
    one: 'Number',
    says: 'Numbers that the account never calls and never writes to.',
    first: 'Put a number on it, or a whole file of them.',
  },
  'accounts.campaigns': {
    many: 'Campaigns',
    one: 'Campaign',
    says: 'Calls to the numbers of a list, by day, hour and pace.',
    first: 'No campaign yet. It begins with a list and an audio.',
  },
  'accounts.campaigns.skipped': {
    many: 'Numbers left out',
    one: 'Number',
    says: 'Numbers of the list that the campaign does not call, and why.',
    first: 'No number is left out.',
  },
  'accounts.campaigns.destinations': {
    many: 'Destinations',
    one: 'Destination',
    says: 'Numbers of the campaign, and what became of each.',
    first: 'The campaign has no number yet.',
  },
  'accounts.groups': {
    many: 'Groups',
    one: 'Group',
    says: 'Names under which campaigns and audio are kept together.',
    first: 'Make a group, and name it in a campaign.',
  },
  'accounts.sms-routes': {
    many: 'SMS routes',
    one: 'SMS route',
    says: 'By which carrier messages go, and to which numbers: SMPP, HTTP, or the sandbox.',
    first: 'Make a route to a carrier; the sandbox carries messages until then and reaches no phone.',
  },
  'accounts.tariffs': {
    many: 'Tariffs',
    one: 'Tariff',
    says: 'What an SMS costs, by the first digits of the number.',
    first: 'Make a tariff. An empty prefix is for every number.',
  },
  'accounts.approved-models': {
    many: 'Approved models',
    one: 'Approved model',
    says: 'Texts that may be sent as they are, with their gaps.',
    first: 'Store a text that your carrier approved.',
  },
  'accounts.lines': {
    many: 'Chat lines',
    one: 'Chat line',
    says: 'Numbers and pages that chat messages go out by and come in to.',
    first: 'Make a line. Without a key of its own it is in the sandbox, where messages reach no phone.',
  },
  'accounts.lines.explain': {
    many: 'Why it sends, or does not',
    one: 'Line',
    says: 'What the line lacks, and what upstream says of it.',
    first: 'Nothing is known of it.',
  },
  'accounts.lines.incoming': {
    many: 'What people wrote',
    one: 'Message',
    says: 'Messages that came to the line, newest first.',
    first: 'No message has come to this line yet.',
  },
  'accounts.templates': {
    many: 'Templates',
    one: 'Template',
    says: 'Messages that upstream reviews before they may open a conversation.',
    first: 'Write a template: what the phone will show stands beside it as you write.',
  },
  'accounts.media': {
    many: 'Media files',
    one: 'Media file',
    says: 'Public addresses of pictures and documents for headers of templates.',
    first: 'Name the public address of a picture or a document.',
  },
  'accounts.callback-targets': {
    many: 'Receivers of callbacks',
    one: 'Receiver',
    says: 'How receivers fare, as the node that serves this page knows them.',
    first: 'No callback was sent since this node began.',
  },
  'accounts.delivery-profiles': {
    many: 'Delivery profiles',
    one: 'Delivery profile',
    says: 'Where files of results go: a folder, SFTP, FTPS or a bucket.',
    first: 'Make a profile, and test it: a small file is put there at once.',
  },
  'accounts.deliveries': {
    many: 'Deliveries',
    one: 'Delivery',
    says: 'Callbacks and files of results, newest first, with the last answer of the receiver.',
    first: 'Nothing was delivered yet. A callback address in the account, or in a request, begins it.',
  },
};
