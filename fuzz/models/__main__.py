import sys, time, traceback
from collections import Counter
from .cases import make_case
from .session import Session, Finding
counts = Counter()
kinds = Counter()
lo, hi = int(sys.argv[1]), int(sys.argv[2])
show = int(sys.argv[3]) if len(sys.argv) > 3 else 1
t = time.time()
for seed in range(lo, hi):
    case = make_case(seed)
    try:
        Session(case, counts).run()
    except Finding as f:
        key = (f.kind, "+".join(p.name for p in case.parts))
        kinds[key] += 1
        if kinds[key] <= show and hi - lo < 500:
            print(seed, key, str(f)[:300])
            if hi - lo == 1:
                print(case); print(f); traceback.print_exc()
for k, n in kinds.most_common(60): print(n, k)
print(sum(kinds.values()), "findings in", hi-lo, time.time()-t)
