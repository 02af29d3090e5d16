import sys

from winnow_client import HttpSubscription, Replica

subscription = HttpSubscription(server=sys.argv[1], name=sys.argv[2])  # http://127.0.0.1:8080 north
replica = Replica(subscription.queue_url, subscription.list)
replica.on("add", lambda thing: print("entered", thing["metadata"]["name"], flush=True))
replica.on("update", lambda thing, before: print("changed", thing["metadata"]["name"], flush=True))
replica.on("delete", lambda thing: print("left", thing["metadata"]["name"], flush=True))
replica.on("synced", lambda: print("the set is complete", flush=True))
replica.run()
