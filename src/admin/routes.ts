/** All routes of the admin API, in the order in which they are matched, and the subjects under which they are shown. */
import { auditRoutes } from './access/audit.ts';
import { lockoutRoutes } from './access/lockouts.ts';
import { operatorRoutes } from './access/operators.ts';
import { sessionRoutes } from './access/sessions.ts';
import { accountRoutes } from './accounts/accounts.ts';
import { creditRoutes } from './accounts/credits.ts';
import { eventRoutes } from './accounts/events.ts';
import { messageRoutes } from './accounts/messages.ts';
import { tokenRoutes } from './accounts/tokens.ts';
import { audioRoutes } from './audio/audios.ts';
import { findRoutes } from './console/find.ts';
import { nowRoutes } from './console/now.ts';
import { streamRoutes } from './console/stream.ts';
import { campaignRoutes } from './campaigns/campaigns.ts';
import { forecastRoutes } from './campaigns/forecasts.ts';
import { campaignOrderRoutes } from './campaigns/orders.ts';
import { campaignOverviewRoutes } from './campaigns/overview.ts';
import { groupRoutes } from './campaigns/groups.ts';
import { chatLineExplainRoutes } from './chat/chatLineExplain.ts';
import { chatLineRoutes } from './chat/chatLines.ts';
import { conversationRoutes } from './chat/conversations.ts';
import { incomingRoutes } from './chat/incoming.ts';
import type { RouteKey, Routes } from './declare.ts';
import { callbackReceiverRoutes } from './deliveries/callbackReceivers.ts';
import { callbackRoutes } from './deliveries/callbacks.ts';
import { deliveryRoutes } from './deliveries/deliveries.ts';
import { receiverRoutes } from './deliveries/receivers.ts';
import { deliveryProfileRoutes } from './deliveries/deliveryProfiles.ts';
import { blocklistRoutes } from './lists/blocklist.ts';
import { blocklistFileRoutes } from './lists/blocklistFile.ts';
import { listFileRoutes } from './lists/listFiles.ts';
import { listRoutes } from './lists/lists.ts';
import { machineRoutes } from './machines/machines.ts';
import { travelRoutes } from './machines/travel.ts';
import { nodeRoutes } from './machines/nodes.ts';
import { approvedModelRoutes } from './sms/approvedModels.ts';
import { smsRouteRoutes } from './sms/smsRoutes.ts';
import { tariffRoutes } from './sms/tariffs.ts';
import { templateMediaRoutes } from './templates/templateMedia.ts';
import { templateReviewRoutes } from './templates/templateReview.ts';
import { templateRoutes } from './templates/templates.ts';
import { callerIdPoolRoutes } from './trunks/callerIdPools.ts';
import { callRouteRoutes } from './trunks/trunkRoutes.ts';
import { trunkRoutes } from './trunks/trunks.ts';
import { trunkServerRoutes } from './trunks/trunkServers.ts';
import { agentRoutes } from './voice/agents.ts';
import { queueRoutes } from './voice/queues.ts';
import { sandboxCallRoutes } from './voice/sandboxCalls.ts';
import { voiceRoutes } from './voice/voices.ts';
import { voiceTrialRoutes } from './voice/trial.ts';
import { whyRoutes } from './why/routes.ts';
import { waitingRoutes } from './why/waiting.ts';

/** By subject, as the reference shows them. */
export const subjects = {
  access: { ...sessionRoutes, ...operatorRoutes, ...auditRoutes, ...lockoutRoutes },
  accounts: { ...accountRoutes, ...tokenRoutes, ...creditRoutes, ...messageRoutes, ...eventRoutes },
  voice: { ...agentRoutes, ...queueRoutes, ...voiceTrialRoutes, ...voiceRoutes, ...sandboxCallRoutes },
  trunks: { ...trunkServerRoutes, ...trunkRoutes, ...callRouteRoutes, ...callerIdPoolRoutes },
  audio: audioRoutes,
  lists: { ...listRoutes, ...listFileRoutes, ...blocklistFileRoutes, ...blocklistRoutes },
  campaigns: {
    ...campaignOverviewRoutes,
    ...campaignRoutes,
    ...campaignOrderRoutes,
    ...forecastRoutes,
    ...groupRoutes,
    ...waitingRoutes,
  },
  sms: { ...smsRouteRoutes, ...tariffRoutes, ...approvedModelRoutes },
  chat: { ...chatLineRoutes, ...chatLineExplainRoutes, ...incomingRoutes, ...conversationRoutes },
  templates: { ...templateRoutes, ...templateReviewRoutes, ...templateMediaRoutes },
  deliveries: {
    ...callbackRoutes,
    ...callbackReceiverRoutes,
    ...deliveryProfileRoutes,
    ...deliveryRoutes,
    ...receiverRoutes,
  },
  machines: { ...machineRoutes, ...travelRoutes, ...nodeRoutes },
  console: { ...nowRoutes, ...findRoutes, ...streamRoutes, ...whyRoutes },
} as const satisfies Readonly<Record<string, Routes>>;

export const adminRoutes = {
  ...subjects.access,
  ...subjects.accounts,
  ...subjects.voice,
  ...subjects.trunks,
  ...subjects.audio,
  ...subjects.lists,
  ...subjects.campaigns,
  ...subjects.sms,
  ...subjects.chat,
  ...subjects.templates,
  ...subjects.deliveries,
  ...subjects.machines,
  ...subjects.console,
};

/** What the typed client is inferred from; only types are imported of it. */
export type AdminApi = typeof adminRoutes;

/** The route of this method and path; undefined: there is none. */
export const routeNamed = (key: string | undefined) =>
  key === undefined ? undefined : (adminRoutes as Routes)[key as RouteKey];
