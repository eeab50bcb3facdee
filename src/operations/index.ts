/** What the service offers, one line an operation. */
import type { AnyOperation } from './declare.ts';
import { ChangeCampaignOperation } from './campaigns/ChangeCampaign.ts';
import { CheckTemplateStatusOperation } from './templates/CheckTemplateStatus.ts';
import { CreateAudioFileOperation } from './audio/CreateAudioFile.ts';
import { CreateCampaignOperation } from './campaigns/CreateCampaign.ts';
import { CreateDestinationBaseOperation } from './lists/CreateDestinationBase.ts';
import { CreateMsgappTemplateOperation } from './templates/CreateMsgappTemplate.ts';
import { DeleteMsgappTemplateOperation } from './templates/DeleteMsgappTemplate.ts';
import { GetAudiosListOperation } from './audio/GetAudiosList.ts';
import { GetCallStatusOperation } from './voice/GetCallStatus.ts';
import { GetCampaignsListOperation } from './campaigns/GetCampaignsList.ts';
import { GetCenterQueuesOperation } from './voice/GetCenterQueues.ts';
import { GetDestinationsListOperation } from './lists/GetDestinationsList.ts';
import { GetMsgappTemplatesOperation } from './templates/GetMsgappTemplates.ts';
import { GetTTSVoicesOperation } from './voice/GetTTSVoices.ts';
import { MakeMsgappOperation } from './chat/MakeMsgapp.ts';
import { MakePageChatOperation } from './chat/MakePageChat.ts';
import { MakePhotoDmOperation } from './chat/MakePhotoDm.ts';
import { MakeSMSOperation } from './sms/MakeSMS.ts';
import { MakeTTSCallOperation } from './voice/MakeTTSCall.ts';
import { ValidateMsgappNumberOperation } from './chat/ValidateMsgappNumber.ts';

export const operations: readonly AnyOperation[] = [
  MakeTTSCallOperation,
  CreateCampaignOperation,
  ChangeCampaignOperation,
  GetCampaignsListOperation,
  CreateDestinationBaseOperation,
  GetDestinationsListOperation,
  CreateAudioFileOperation,
  GetAudiosListOperation,
  GetTTSVoicesOperation,
  GetCenterQueuesOperation,
  MakeSMSOperation,
  GetCallStatusOperation,
  MakeMsgappOperation,
  ValidateMsgappNumberOperation,
  CreateMsgappTemplateOperation,
  CheckTemplateStatusOperation,
  DeleteMsgappTemplateOperation,
  GetMsgappTemplatesOperation,
  MakePageChatOperation,
  MakePhotoDmOperation,
];
