// The page's half of web/differences.py: makes the next scene from the one that the page has and what the server says has changed.

// Numbers come by twos, from which place of the old list how many items are kept; lists hold what is new.
export function patched(old, runs) {
  const found = [];
  for (let at = 0; at < runs.length; at += 1) {
    if (Array.isArray(runs[at])) for (const item of runs[at]) found.push(item);
    else for (let from = runs[at], to = from + runs[at += 1]; from < to; from += 1) found.push(old[from]);
  }
  return found;
}

export function applied(scene, { stamp, fields, lists }) {
  const next = { ...scene, ...fields, stamp };
  for (const [name, runs] of Object.entries(lists)) next[name] = patched(scene[name], runs);
  return next;
}
