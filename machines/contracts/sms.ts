/** Events and effects between a call and the message that follows it, which is a machine of its own. */
export interface FollowUpSmsEffects {
  /** Begin one message. Repeated, it finds the one it has begun. */
  sendSms: { to: string; text: string; from?: string };
}

export type FollowUpSmsEvent =
  /** It goes its own way. `providerId`: its id in the message log; `slow`: it is not known yet whether it was taken. */
  { type: 'smsAccepted'; providerId: string; slow: boolean };
