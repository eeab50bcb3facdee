import type { Section } from './section.ts';

/** All sections, in the order of the table; each is loaded when it is measured. */
export const sections: Readonly<Record<string, () => Promise<Section>>> = {
  steps: async () => (await import('./steps.ts')).steps,
  timers: async () => (await import('./timers.ts')).timers,
  crowd: async () => (await import('./crowd.ts')).crowd,
  recovery: async () => (await import('./recovery.ts')).recovery,
  http: async () => (await import('./http.ts')).http,
  lists: async () => (await import('./lists.ts')).lists,
  generation: async () => (await import('./generation.ts')).generation,
  forecast: async () => (await import('./forecast.ts')).forecast,
  sms: async () => (await import('./sms.ts')).sms,
  callbacks: async () => (await import('./callbacks.ts')).callbacks,
  console: async () => (await import('./console.ts')).consolePages,
};
