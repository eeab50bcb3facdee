/** All routes of the admin API, in the order in which they are matched, and the subjects under which they are shown. */
import { auditRoutes } from './access/audit.ts';
import { lockoutRoutes } from './access/lockouts.ts';
import { operatorRoutes } from './access/operators.ts';
import { sessionRoutes } from './access/sessions.ts';
import { accountRoutes } from './accounts/accounts.ts';
import { creditRoutes } from './accounts/credits.ts';
import { eventRoutes } from './accounts/events.ts';
import { messageLogRoutes } from './accounts/messages.ts';
import { tokenRoutes } from './accounts/tokens.ts';
import { audioRoutes } from './audio/audios.ts';
import { searchRoutes } from './console/find.ts';
import { consoleOverviewRoutes } from './console/now.ts';
import { streamRoutes } from './console/stream.ts';
import { campaignRoutes } from './campaigns/campaigns.ts';
import { forecastRoutes } from './campaigns/forecasts.ts';
import { campaignOrderRoutes } from './campaigns/orders.ts';
import { campaignOverviewRoutes } from './campaigns/overview.ts';
import { campaignGroupRoutes } from './campaigns/groups.ts';
import { chatLineExplainRoutes } from './chat/chatLineExplain.ts';
import { chatLineRoutes } from './chat/chatLines.ts';
import { conversationRoutes } from './chat/conversations.ts';
import { incomingChatRoutes } from './chat/incoming.ts';
import type { RouteKey, AdminRouteTable } from './declare.ts';
import { callbackReceiverRoutes } from './deliveries/callbackReceivers.ts';
import { callbackRoutes } from './deliveries/callbacks.ts';
import { deliveryRoutes } from './deliveries/deliveries.ts';
import { deliveryReceiverRoutes } from './deliveries/receivers.ts';
import { deliveryProfileRoutes } from './deliveries/deliveryProfiles.ts';
import { blocklistRoutes } from './lists/blocklist.ts';
import { blocklistFileRoutes } from './lists/blocklistFile.ts';
import { listFileRoutes } from './lists/listFiles.ts';
import { destinationListRoutes } from './lists/lists.ts';
import { machineRoutes } from './machines/machines.ts';
import { timeTravelRoutes } from './machines/travel.ts';
import { nodeRoutes } from './machines/nodes.ts';
import { approvedModelRoutes } from './sms/approvedModels.ts';
import { smsRouteRoutes } from './sms/smsRoutes.ts';
import { tariffRoutes } from './sms/tariffs.ts';
import { templateMediaRoutes } from './templates/templateMedia.ts';
import { templateReviewRoutes } from './templates/templateReview.ts';
import { templateRoutes } from './templates/templates.ts';
import { callerIdPoolRoutes } from './trunks/callerIdPools.ts';
import { callRouteRoutes } from './trunks/trunkRoutes.ts';
import { trunkApiRoutes } from './trunks/trunks.ts';
import { trunkServerRoutes } from './trunks/trunkServers.ts';
import { agentRoutes } from './voice/agents.ts';
import { queueRoutes } from './voice/queues.ts';
import { sandboxCallRoutes } from './voice/sandboxCalls.ts';
import { speechVoiceRoutes } from './voice/voices.ts';
import { voiceTrialRoutes } from './voice/trial.ts';
import { whyCalledRoutes } from './why/routes.ts';
import { waitingDestinationsRoutes } from './why/waiting.ts';

/** By subject, as the reference shows them. */
export const routeGroups = {
  access: { ...sessionRoutes, ...operatorRoutes, ...auditRoutes, ...lockoutRoutes },
  accounts: { ...accountRoutes, ...tokenRoutes, ...creditRoutes, ...messageLogRoutes, ...eventRoutes },
  voice: { ...agentRoutes, ...queueRoutes, ...voiceTrialRoutes, ...speechVoiceRoutes, ...sandboxCallRoutes },
  trunks: { ...trunkServerRoutes, ...trunkApiRoutes, ...callRouteRoutes, ...callerIdPoolRoutes },
  audio: audioRoutes,
  lists: { ...destinationListRoutes, ...listFileRoutes, ...blocklistFileRoutes, ...blocklistRoutes },
  campaigns: {
    ...campaignOverviewRoutes,
    ...campaignRoutes,
    ...campaignOrderRoutes,
    ...forecastRoutes,
    ...campaignGroupRoutes,
    ...waitingDestinationsRoutes,
  },
  sms: { ...smsRouteRoutes, ...tariffRoutes, ...approvedModelRoutes },
  chat: { ...chatLineRoutes, ...chatLineExplainRoutes, ...incomingChatRoutes, ...conversationRoutes },
  templates: { ...templateRoutes, ...templateReviewRoutes, ...templateMediaRoutes },
  deliveries: {
    ...callbackRoutes,
    ...callbackReceiverRoutes,
    ...deliveryProfileRoutes,
    ...deliveryRoutes,
    ...deliveryReceiverRoutes,
  },
  machines: { ...machineRoutes, ...timeTravelRoutes, ...nodeRoutes },
  console: { ...consoleOverviewRoutes, ...searchRoutes, ...streamRoutes, ...whyCalledRoutes },
} as const satisfies Readonly<Record<string, AdminRouteTable>>;

export const adminRoutes = {
  ...routeGroups.access,
  ...routeGroups.accounts,
  ...routeGroups.voice,
  ...routeGroups.trunks,
  ...routeGroups.audio,
  ...routeGroups.lists,
  ...routeGroups.campaigns,
  ...routeGroups.sms,
  ...routeGroups.chat,
  ...routeGroups.templates,
  ...routeGroups.deliveries,
  ...routeGroups.machines,
  ...routeGroups.console,
};

/** What the typed client is inferred from; only types are imported of it. */
export type AdminApi = typeof adminRoutes;

/** The route of this method and path; undefined: there is none. */
export const findAdminRoute = (key: string | undefined) =>
  key === undefined ? undefined : (adminRoutes as AdminRouteTable)[key as RouteKey];
