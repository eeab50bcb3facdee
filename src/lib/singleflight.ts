/** The same function, but while one call of a key is under way the others wait for its answer. */
export const singleflight = <Question, Answer>(
  act: (question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string | number,
): ((question: Question) => Promise<Answer>) => {
  const underWay = new Map<string | number, Promise<Answer>>();
  return (question) => {
    const key = keyOf(question);
    const known = underWay.get(key);
    if (known) return known;
    const answer = act(question).finally(() => underWay.delete(key));
    underWay.set(key, answer);
    return answer;
  };
};
