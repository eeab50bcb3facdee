/** What the service offers, one line an operation. */
import type { AnyOperation } from './declare.ts';
import { ChangeCampaign } from './ChangeCampaign.ts';
import { CreateAudioFile } from './CreateAudioFile.ts';
import { CreateCampaign } from './CreateCampaign.ts';
import { GetAudiosList } from './GetAudiosList.ts';
import { GetCallStatus } from './GetCallStatus.ts';
import { GetCampaignsList } from './GetCampaignsList.ts';
import { GetCenterQueues } from './GetCenterQueues.ts';
import { GetTTSVoices } from './GetTTSVoices.ts';
import { MakeTTSCall } from './MakeTTSCall.ts';

export const operations: readonly AnyOperation[] = [
  MakeTTSCall,
  CreateCampaign,
  ChangeCampaign,
  GetCampaignsList,
  CreateAudioFile,
  GetAudiosList,
  GetTTSVoices,
  GetCenterQueues,
  GetCallStatus,
];
