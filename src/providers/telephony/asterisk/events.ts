/** What Asterisk says, as far as we listen: the fields we read of the objects and events of ARI. */

export interface AriChannel {
  id: string;
  name: string;
  /** `Down`, `Ring`, `Ringing`, `Up` and others. */
  state: string;
  creationtime: string;
  dialplan: { context: string; app_name: string };
  /** The variables named in `ari.conf`: APP_NAME, CALL_ID, PLAYING. */
  channelvars?: Record<string, string>;
}

interface Told {
  /** ISO 8601 with milliseconds, Asterisk's clock. */
  timestamp: string;
  application: string;
}

export type AriEvent = Told &
  (
    | { type: 'ChannelStateChange' | 'StasisEnd'; channel: AriChannel }
    | { type: 'StasisStart'; channel: AriChannel; args: string[] }
    | { type: 'Dial'; peer: AriChannel; dialstatus: string }
    | { type: 'ChannelDtmfReceived'; channel: AriChannel; digit: string }
    | { type: 'ChannelHangupRequest'; channel: AriChannel; soft?: boolean }
    | { type: 'ChannelDestroyed'; channel: AriChannel; cause: number; tech_cause?: number }
    | { type: 'PlaybackStarted'; playback: { id: string } }
    | { type: 'PlaybackFinished'; playback: { id: string; state: string } }
    | { type: 'ChannelLeftBridge'; channel: AriChannel }
    | { type: 'RecordingFinished'; recording: { name: string } }
    | { type: 'RecordingFailed'; recording: { name: string; cause?: string } }
    | { type: 'ApplicationReplaced' }
  );

/** Events that no part of Ramal reads, and that are half of all traffic. */
export const ignoredAriEvents = [
  'ChannelVarset',
  'ChannelDialplan',
  'ChannelCallerId',
  'ChannelConnectedLine',
  'DeviceStateChanged',
];
