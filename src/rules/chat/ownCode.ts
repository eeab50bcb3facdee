/** Which codes of the upstream callers of MakeMsgapp are shown (spec 7): those below are answered by 260. */

const least = 261;

export const isChatErrorCodeShown = (code: number): boolean => code >= least;
