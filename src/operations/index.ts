/** What the service offers, one line an operation. */
import type { AnyOperation } from './declare.ts';
import { ChangeCampaign } from './campaigns/ChangeCampaign.ts';
import { CheckTemplateStatus } from './templates/CheckTemplateStatus.ts';
import { CreateAudioFile } from './audio/CreateAudioFile.ts';
import { CreateCampaign } from './campaigns/CreateCampaign.ts';
import { CreateDestinationBase } from './lists/CreateDestinationBase.ts';
import { CreateMsgappTemplate } from './templates/CreateMsgappTemplate.ts';
import { DeleteMsgappTemplate } from './templates/DeleteMsgappTemplate.ts';
import { GetAudiosList } from './audio/GetAudiosList.ts';
import { GetCallStatus } from './voice/GetCallStatus.ts';
import { GetCampaignsList } from './campaigns/GetCampaignsList.ts';
import { GetCenterQueues } from './voice/GetCenterQueues.ts';
import { GetDestinationsList } from './lists/GetDestinationsList.ts';
import { GetMsgappTemplates } from './templates/GetMsgappTemplates.ts';
import { GetTTSVoices } from './voice/GetTTSVoices.ts';
import { MakeMsgapp } from './chat/MakeMsgapp.ts';
import { MakePageChat } from './chat/MakePageChat.ts';
import { MakePhotoDm } from './chat/MakePhotoDm.ts';
import { MakeSMS } from './sms/MakeSMS.ts';
import { MakeTTSCall } from './voice/MakeTTSCall.ts';
import { ValidateMsgappNumber } from './chat/ValidateMsgappNumber.ts';

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
