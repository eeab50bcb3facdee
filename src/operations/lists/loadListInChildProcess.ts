/**
 * A list that is loaded by a process of its own: started for it, ended with it. A thread would not do: the size of its
 * heap is that of the service, which is large for the sake of calls.
 */
import type { ChildProcess } from 'node:child_process';
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';
import { forkSiblingModule } from '../../forkSiblingModule.ts';
import type { MakeKeyClaimsForList, ListLoadFailure, ListLoadJob, ListLoadSuccess } from './job.ts';

/** What the process is told: first its task, then the claims it asked for. */
export type ListLoadChildRequest =
  | { type: 'task'; job: ListLoadJob; url: string; schema: string }
  | { type: 'claims'; claims: ExclusiveKeyClaimRequest[] };

/** What it says. */
export type ListLoadChildMessage =
  /** Which claims come with this? */
  | { type: 'loaded'; loaded: ListLoadSuccess }
  | { type: 'ended'; result: ListLoadSuccess | ListLoadFailure }
  | { type: 'failed'; message: string; code: string | undefined };

/** Little of a list is ever in memory; rubbish is to be taken away early. */
const heap = ['--max-semi-space-size=1', '--max-old-space-size=128'];

/** Throws when the database fails, or the process. Whatever comes of it, the process is gone then. */
export const loadListInChildProcess = async (
  address: { url: string; schema: string },
  job: ListLoadJob,
  claimsOf: MakeKeyClaimsForList,
): Promise<ListLoadSuccess | ListLoadFailure> => {
  const child = forkChild();
  try {
    return await loadedBy(child, address, job, claimsOf);
  } finally {
    child.kill('SIGKILL');
  }
};

const loadedBy = (
  child: ChildProcess,
  { url, schema }: { url: string; schema: string },
  job: ListLoadJob,
  claimsOf: MakeKeyClaimsForList,
): Promise<ListLoadSuccess | ListLoadFailure> =>
  new Promise((resolve, reject) => {
    const tell = (told: ListLoadChildRequest): void =>
      void child.send(told, (error) => error && reject(error));
    child.on('error', reject);
    child.on('exit', (code, signal) =>
      reject(new Error(`the process that loaded a list ended with ${code ?? signal}`)),
    );
    child.on('message', (word: ListLoadChildMessage) => {
      if (word.type === 'ended') resolve(word.result);
      else if (word.type === 'failed') reject(Object.assign(new Error(word.message), { code: word.code }));
      else void claimsOf(word.loaded).then((claims) => tell({ type: 'claims', claims }), reject);
    });
    tell({ type: 'task', job, url, schema });
  });

const forkChild = (): ChildProcess =>
  forkSiblingModule(import.meta.url, 'listLoadChildMain', {
    execArgv: [...heap],
    serialization: 'advanced',
    lowPriority: true,
  });
