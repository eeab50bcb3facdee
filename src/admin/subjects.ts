/** The subjects of the admin API, as the reference calls them. */
import type { adminRouteGroups } from './routes.ts';

export const routeGroupTitles = {
  access: 'Operators, sessions and the audit log',
  accounts: 'Accounts, tokens and money',
  voice: 'Agents, queues and voices',
  trunks: 'Trunks and their routes',
  audio: 'Audio',
  lists: 'Lists and block lists',
  campaigns: 'Campaigns',
  sms: 'SMS routes and prices',
  chat: 'Chat lines',
  templates: 'Templates',
  deliveries: 'Callbacks and deliveries',
  machines: 'Machines and nodes',
  console: 'What the console shows',
} as const satisfies Readonly<Record<keyof typeof adminRouteGroups, string>>;
