import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.event.ruler.GenericMachine;

/**
 * A peer of the `match` bench: AWS event-ruler. It answers the commands of ../protocol.ts, a line of JSON each. A rule
 * sees one event, so the labels before and after are two events, and their two answers are merged here.
 */
public final class EventRulerPeer {
  private static final int ENTERED = 0x9e3779b1;
  private static final int CHANGED = 0x85ebca6b;
  private static final int LEFT = 0xc2b2ae35;
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One label set in the shapes that the two entry points take. */
  private record Labels(String json, String[] fields) {}

  private record Event(Labels before, Labels after) {}

  private interface EntryPoint {
    List<Integer> match(Labels labels) throws Exception;
  }

  private GenericMachine<Integer> machine = new GenericMachine<>();
  private final Map<String, EntryPoint> entryPoints =
      new TreeMap<>(
          Map.of(
              "rulesForJSONEvent", labels -> machine.rulesForJSONEvent(labels.json()),
              "rulesForEvent", labels -> machine.rulesForEvent(labels.fields())));
  private String entryPoint = "rulesForEvent";
  private String subscriptions;
  private Event[] events = {};
  private long[] matches = {0};
  private int[] hashes = {0};
  /** By rule: the number of the last event whose labels before it matched; its negative once it matched after too. */
  private long[] seen = {};
  private long turn;

  public static void main(String[] arguments) throws Exception {
    EventRulerPeer peer = new EventRulerPeer();
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(JSON.writeValueAsString(peer.answer(JSON.readTree(line))));
    }
  }

  private Map<String, ?> answer(JsonNode asked) throws Exception {
    long budget = (long) (asked.path("milliseconds").asDouble() * 1e6);
    switch (asked.get("do").asText()) {
      case "build":
        return build(asked.get("file").asText());
      case "events":
        return readEvents(asked.get("file").asText());
      case "warm":
        return warm(budget);
      case "run":
        return run(budget, asked.path("events").asInt(events.length));
      case "found":
        int count = asked.get("events").asInt();
        return Map.of("matches", matches[count], "hash", Integer.toUnsignedLong(hashes[count]));
      case "churn":
        return churn(asked.get("ids"));
      default:
        throw new IllegalArgumentException("unknown command " + asked);
    }
  }

  private Map<String, ?> build(String file) throws IOException {
    subscriptions = file;
    List<String> rules = readRules();
    long base = usedBytes();
    long start = System.nanoTime();
    machine = new GenericMachine<>();
    for (int id = 0; id < rules.size(); id++) machine.addRule(id, rules.get(id));
    double milliseconds = (System.nanoTime() - start) / 1e6;
    seen = new long[rules.size()];
    long bytes = usedBytes() - base - 8L * seen.length;
    if (rules.isEmpty()) throw new IOException("no rules in " + file);
    return Map.of("milliseconds", milliseconds, "bytes", bytes);
  }

  private Map<String, ?> readEvents(String file) throws IOException {
    List<Event> read = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(file))) {
      JsonNode event = JSON.readTree(line);
      read.add(new Event(toLabels(event.get(0)), toLabels(event.get(1))));
    }
    events = read.toArray(new Event[0]);
    collectGarbage();
    return Map.of("events", events.length);
  }

  private static Labels toLabels(JsonNode labels) {
    TreeMap<String, String> sorted = new TreeMap<>();
    labels.fields().forEachRemaining(label -> sorted.put(label.getKey(), label.getValue().toString()));
    List<String> fields = new ArrayList<>();
    sorted.forEach(
        (key, value) -> {
          fields.add(key);
          fields.add(value);
        });
    return new Labels(labels.toString(), fields.toArray(new String[0]));
  }

  /** Both entry points in turns, twice; the faster of the second turn is the one that runs. */
  private Map<String, ?> warm(long budget) throws Exception {
    Map<String, Double> rates = new TreeMap<>();
    for (int round = 0; round < 2; round++) {
      for (String name : entryPoints.keySet()) {
        entryPoint = name;
        Map<String, ? extends Number> ran = run(budget / 4, events.length);
        rates.put(name, ran.get("events").doubleValue() / ran.get("nanoseconds").doubleValue());
      }
    }
    entryPoint = rates.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    return Map.of("entryPoint", entryPoint);
  }

  private Map<String, ? extends Number> run(long budget, int most) throws Exception {
    EntryPoint match = entryPoints.get(entryPoint);
    matches = new long[events.length + 1];
    hashes = new int[events.length + 1];
    long start = System.nanoTime();
    int done = 0;
    for (Event event : events) {
      classify(match.match(event.before()), match.match(event.after()), done++);
      if (done == most || System.nanoTime() - start > budget) break;
    }
    return Map.of("events", done, "nanoseconds", System.nanoTime() - start);
  }

  private void classify(List<Integer> before, List<Integer> after, int at) {
    turn++;
    int changed = 0;
    int entered = 0;
    int left = 0;
    int count = before.size();
    for (int id : before) seen[id] = turn;
    for (int id : after) {
      if (seen[id] == turn) {
        changed += id + 1;
        seen[id] = -turn;
      } else {
        entered += id + 1;
        count++;
      }
    }
    for (int id : before) if (seen[id] == turn) left += id + 1;
    matches[at + 1] = matches[at] + count;
    hashes[at + 1] = hashes[at] * 31 + entered * ENTERED + changed * CHANGED + left * LEFT;
  }

  private Map<String, ?> churn(JsonNode ids) throws IOException {
    List<String> rules = readRules();
    long start = System.nanoTime();
    for (JsonNode id : ids) machine.deleteRule(id.asInt(), rules.get(id.asInt()));
    long removed = System.nanoTime();
    for (JsonNode id : ids) machine.addRule(id.asInt(), rules.get(id.asInt()));
    long added = System.nanoTime();
    return Map.of("remove", (removed - start) / 1e3 / ids.size(), "add", (added - removed) / 1e3 / ids.size());
  }

  private List<String> readRules() throws IOException {
    List<String> rules = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(subscriptions))) rules.add(line.substring(line.indexOf('\t') + 1));
    return rules;
  }

  private static long usedBytes() {
    collectGarbage();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void collectGarbage() {
    for (int round = 0; round < 3; round++) System.gc();
  }
}
