/** The words between a machine and an SMS carrier. */
export interface SmsEffects {
  /** Submit one short message. `atMostOnce`. */
  sendSms: { to: string; text: string; from?: string };
}

export type SmsEvent =
  /** The carrier took it. `slow`: it has not acknowledged in time and goes on (spec 3.2 `WR`). */
  { type: 'smsAccepted'; providerId: string; slow: boolean } | { type: 'smsDelivered'; providerId: string };
