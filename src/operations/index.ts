/** What the service offers, one line an operation. */
import type { AnyOperation } from './declare.ts';
import { GetCallStatus } from './GetCallStatus.ts';
import { GetTTSVoices } from './GetTTSVoices.ts';
import { MakeTTSCall } from './MakeTTSCall.ts';

export const operations: readonly AnyOperation[] = [MakeTTSCall, GetTTSVoices, GetCallStatus];
