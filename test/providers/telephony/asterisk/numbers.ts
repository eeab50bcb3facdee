/** Numbers of the bed’s carrier (`test/asterisk/bed`), by what happens when one dials them. */
export const answers = '551130000000';
export const busyFirst = '551130000021';
export const talks = '551130000030';
export const answersByMachine = '551130000005';
export const answersLate = '551130000049';
export const sendsNoAudio = '551130000009';
export const pressesSeven = '551130000017';
export const hangsUp = '551130000006';
