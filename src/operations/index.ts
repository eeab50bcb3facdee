/** What the service offers, one line an operation. */
import type { AnyOperation } from './declare.ts';
import { ChangeCampaign } from './ChangeCampaign.ts';
import { CreateCampaign } from './CreateCampaign.ts';
import { GetCallStatus } from './GetCallStatus.ts';
import { CreateDestinationBase } from './CreateDestinationBase.ts';
import { GetAudiosList } from './GetAudiosList.ts';
import { GetCampaignsList } from './GetCampaignsList.ts';
import { GetCenterQueues } from './GetCenterQueues.ts';
import { GetTTSVoices } from './GetTTSVoices.ts';
import { GetDestinationsList } from './GetDestinationsList.ts';
import { MakeTTSCall } from './MakeTTSCall.ts';

export const operations: readonly AnyOperation[] = [
  MakeTTSCall,
  CreateCampaign,
  ChangeCampaign,
  GetCampaignsList,
  GetTTSVoices,
  CreateDestinationBase,
  GetDestinationsList,
  CreateAudioFile,
  GetAudiosList,
  GetCenterQueues,
  GetCallStatus,
];
