/** What is made of an object once, and kept as long as the object is: answers are shared, so they are not to be changed. */
export const memoizeInWeakMap = <Of extends object, Made>(make: (of: Of) => Made): ((of: Of) => Made) => {
  const kept = new WeakMap<Of, { made: Made }>();
  return (of) => {
    const before = kept.get(of);
    if (before) return before.made;
    const made = make(of);
    kept.set(of, { made });
    return made;
  };
};
