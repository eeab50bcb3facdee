/** All routes of the admin API, in the order in which they are matched, and the subjects under which they are shown. */
import { auditRoutes } from './access/auditLogRoutes.ts';
import { lockoutRoutes } from './access/lockoutRoutes.ts';
import { operatorRoutes } from './access/operatorRoutes.ts';
import { sessionRoutes } from './access/consoleSessionRoutes.ts';
import { accountRoutes } from './accounts/accounts.ts';
import { creditRoutes } from './accounts/credits.ts';
import { eventRoutes } from './accounts/callAndMessageEventFeed.ts';
import { messageLogRoutes } from './accounts/messageLogRoutes.ts';
import { tokenRoutes } from './accounts/tokens.ts';
import { audioRoutes } from './audio/audios.ts';
import { createAudioRoutes } from './audio/createAudios.ts';
import { searchRoutes } from './console/searchRoute.ts';
import { consoleOverviewRoutes } from './console/now.ts';
import { streamRoutes } from './console/liveStreamRoute.ts';
import { campaignRoutes } from './campaigns/campaigns.ts';
import { forecastRoutes } from './campaigns/forecasts.ts';
import { campaignCreateRetryCloseRoutes } from './campaigns/createRetryCloseRoutes.ts';
import { allAccountsCampaignRoutes } from './campaigns/allAccountsCampaignRoutes.ts';
import { campaignGroupRoutes } from './campaigns/groups.ts';
import { chatLineExplainRoutes } from './chat/chatLineExplain.ts';
import { chatLineRoutes } from './chat/chatLines.ts';
import { conversationRoutes } from './chat/conversations.ts';
import { incomingChatMessageAdminRoutes } from './chat/incomingMessageRoutes.ts';
import type { RouteKey, AdminRouteTable } from './routeDeclaration.ts';
import { localCallbackListenerRoutes } from './deliveries/allowLoopbackCallbackTargets.ts';
import { callbackRoutes } from './deliveries/callbackSecretTestAndTargets.ts';
import { deliveryRoutes } from './deliveries/deliveries.ts';
import { deliveryReceiverRoutes } from './deliveries/receiverStatuses.ts';
import { deliveryProfileRoutes } from './deliveries/fileDeliveryProfiles.ts';
import { blocklistRoutes } from './lists/blocklist.ts';
import { blocklistFileRoutes } from './lists/blockAndUnblockByFile.ts';
import { listFileRoutes } from './lists/uploadAndCorrectLists.ts';
import { destinationListRoutes } from './lists/lists.ts';
import { effectRoutes } from './machines/effectRoutes.ts';
import { machineRoutes } from './machines/machines.ts';
import { machineSoundRoutes } from './machines/soundRoutes.ts';
import { timeTravelRoutes } from './machines/timeTravelRoutes.ts';
import { nodeRoutes } from './machines/nodesAndHealth.ts';
import { approvedModelRoutes } from './sms/textsAllowedToNameBanks.ts';
import { smsRouteRoutes } from './sms/smsCarrierRouting.ts';
import { tariffRoutes } from './sms/tariffs.ts';
import { templateMediaRoutes } from './templates/templateMediaUrls.ts';
import { templateSubmissionRoutes } from './templates/submitTemplateForReview.ts';
import { templateRoutes } from './templates/templates.ts';
import { callerIdPoolRoutes } from './trunks/callerIdPools.ts';
import { callRouteRoutes } from './trunks/callRoutingRules.ts';
import { trunkApiRoutes } from './trunks/trunks.ts';
import { trunkServerRoutes } from './trunks/asteriskServers.ts';
import { agentRoutes } from './voice/agents.ts';
import { queueRoutes } from './voice/queues.ts';
import { sandboxCallRoutes } from './voice/sandboxCalls.ts';
import { speechVoiceRoutes } from './voice/voices.ts';
import { voiceTrialRoutes } from './voice/speechPreviewRoute.ts';
import { whyCalledRoutes } from './why/whyNumberCalledRoutes.ts';
import { countWaitingDestinationsRoutes } from './why/waitingDestinationsRoute.ts';

/** By subject, as the reference shows them. */
export const adminRouteGroups = {
  access: { ...sessionRoutes, ...operatorRoutes, ...auditRoutes, ...lockoutRoutes },
  accounts: { ...accountRoutes, ...tokenRoutes, ...creditRoutes, ...messageLogRoutes, ...eventRoutes },
  voice: { ...agentRoutes, ...queueRoutes, ...voiceTrialRoutes, ...speechVoiceRoutes, ...sandboxCallRoutes },
  trunks: { ...trunkServerRoutes, ...trunkApiRoutes, ...callRouteRoutes, ...callerIdPoolRoutes },
  audio: { ...audioRoutes, ...createAudioRoutes },
  lists: { ...destinationListRoutes, ...listFileRoutes, ...blocklistFileRoutes, ...blocklistRoutes },
  campaigns: {
    ...allAccountsCampaignRoutes,
    ...campaignRoutes,
    ...campaignCreateRetryCloseRoutes,
    ...forecastRoutes,
    ...campaignGroupRoutes,
    ...countWaitingDestinationsRoutes,
  },
  sms: { ...smsRouteRoutes, ...tariffRoutes, ...approvedModelRoutes },
  chat: {
    ...chatLineRoutes,
    ...chatLineExplainRoutes,
    ...incomingChatMessageAdminRoutes,
    ...conversationRoutes,
  },
  templates: { ...templateRoutes, ...templateSubmissionRoutes, ...templateMediaRoutes },
  deliveries: {
    ...callbackRoutes,
    ...localCallbackListenerRoutes,
    ...deliveryProfileRoutes,
    ...deliveryRoutes,
    ...deliveryReceiverRoutes,
  },
  machines: { ...machineRoutes, ...effectRoutes, ...machineSoundRoutes, ...timeTravelRoutes, ...nodeRoutes },
  console: { ...consoleOverviewRoutes, ...searchRoutes, ...streamRoutes, ...whyCalledRoutes },
} as const satisfies Readonly<Record<string, AdminRouteTable>>;

export const adminRoutes = {
  ...adminRouteGroups.access,
  ...adminRouteGroups.accounts,
  ...adminRouteGroups.voice,
  ...adminRouteGroups.trunks,
  ...adminRouteGroups.audio,
  ...adminRouteGroups.lists,
  ...adminRouteGroups.campaigns,
  ...adminRouteGroups.sms,
  ...adminRouteGroups.chat,
  ...adminRouteGroups.templates,
  ...adminRouteGroups.deliveries,
  ...adminRouteGroups.machines,
  ...adminRouteGroups.console,
};

/** What the typed client is inferred from; only types are imported of it. */
export type AdminApi = typeof adminRoutes;

/** The route of this method and path; undefined: there is none. */
export const findAdminRoute = (key: string | undefined) =>
  key === undefined ? undefined : (adminRoutes as AdminRouteTable)[key as RouteKey];
