/** A file sent to the admin API, with how far it has come. */
import { AdminApiRequestError, fetchCurrentSession } from '../../api.ts';
import { refusalInPageLanguage } from '../../refusalInPageLanguage.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';

/** Throws an `AdminApiRequestError`. `type`: its media type; `onSent`: hears the share that has left, 0 to 1. */
export const uploadFile = (
  path: string,
  { file, type }: { file: Blob; type: string },
  onSent: (share: number) => void,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    // `fetch` tells nothing of what has been sent.
    const request = new XMLHttpRequest();
    request.open('POST', `/admin/api${path}`);
    request.setRequestHeader('Content-Type', type);
    request.setRequestHeader('Accept', 'application/json');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onSent(total === 0 ? 1 : loaded / total),
    );
    request.addEventListener('error', () => reject(new AdminApiRequestError(0, '')));
    request.addEventListener('load', () => {
      const { status } = request;
      const body = request.response as Record<string, unknown> | null;
      if (status >= 200 && status < 300) return resolve(body);
      if (status === 401) void fetchCurrentSession();
      void refusalInPageLanguage(toTextOrJson(body?.['error'] ?? `HTTP ${status}`)).then((why) =>
        reject(new AdminApiRequestError(status, why, body ?? {})),
      );
    });
    request.send(file);
  });
