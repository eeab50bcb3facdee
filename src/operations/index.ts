/** What the service offers, one line an operation. */
import type { AnyOperation } from './declare.ts';
import { ChangeCampaign } from './ChangeCampaign.ts';
import { CheckTemplateStatus } from './CheckTemplateStatus.ts';
import { CreateAudioFile } from './CreateAudioFile.ts';
import { CreateCampaign } from './CreateCampaign.ts';
import { CreateDestinationBase } from './CreateDestinationBase.ts';
import { CreateMsgappTemplate } from './CreateMsgappTemplate.ts';
import { DeleteMsgappTemplate } from './DeleteMsgappTemplate.ts';
import { GetAudiosList } from './GetAudiosList.ts';
import { GetCallStatus } from './GetCallStatus.ts';
import { GetCampaignsList } from './GetCampaignsList.ts';
import { GetCenterQueues } from './GetCenterQueues.ts';
import { GetDestinationsList } from './GetDestinationsList.ts';
import { GetMsgappTemplates } from './GetMsgappTemplates.ts';
import { GetTTSVoices } from './GetTTSVoices.ts';
import { MakeMsgapp } from './MakeMsgapp.ts';
import { MakePageChat } from './MakePageChat.ts';
import { MakePhotoDm } from './MakePhotoDm.ts';
import { MakeSMS } from './MakeSMS.ts';
import { MakeTTSCall } from './MakeTTSCall.ts';
import { ValidateMsgappNumber } from './ValidateMsgappNumber.ts';

export const operations: readonly AnyOperation[] = [
  MakeTTSCall,
  CreateCampaign,
  ChangeCampaign,
  GetCampaignsList,
  CreateDestinationBase,
  GetDestinationsList,
  CreateAudioFile,
  GetAudiosList,
  GetTTSVoices,
  GetCenterQueues,
  MakeSMS,
  GetCallStatus,
  MakeMsgapp,
  ValidateMsgappNumber,
  CreateMsgappTemplate,
  CheckTemplateStatus,
  DeleteMsgappTemplate,
  GetMsgappTemplates,
  MakePageChat,
  MakePhotoDm,
];
