import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Tells how a client library's behaviours went: one line of JSON each, on stdout. */
final class Attempt {
  /** Far more than any behaviour takes on a slow machine. */
  private static final long PATIENCE = 120_000;

  /** Longer than a server lets pass before it keeps a connection alive, if it does. */
  private static final long QUIET = 25_000;

  interface Try {
    void now() throws Exception;
  }

  private Attempt() {}

  /** Tries one of them, named as a user would say what the client does, and tells its outcome. */
  static void behaviour(String name, Try attempt) {
    String error = "";
    try {
      attempt.now();
    } catch (Exception | AssertionError failure) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      error = ",\"error\":" + quote(trace.toString());
    }
    System.out.println("{\"behaviour\":" + quote(name) + error + "}");
  }

  /** Looks again and again until it holds. */
  static void eventually(String what, Callable<Boolean> holds) throws Exception {
    for (long end = System.currentTimeMillis() + PATIENCE; !holds.call(); Thread.sleep(50)) {
      check(System.currentTimeMillis() < end, what + ": not in time");
    }
  }

  static void check(boolean holds, Object otherwise) {
    if (!holds) throw new AssertionError(String.valueOf(otherwise));
  }

  /** What an informer's handler is told: `+name`, `~name`, `-name`. */
  static final class Told {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    void note(String sign, String name) {
      lines.add(sign + name);
    }

    /** Waits until it was told these: of each object in this order, for an informer promises no order among objects. */
    void until(String... wanted) throws Exception {
      try {
        eventually("what it tells", () -> byName(lines).equals(byName(List.of(wanted))));
      } catch (AssertionError error) {
        throw new AssertionError(lines + ", and not " + List.of(wanted), error);
      }
    }

    /** Where nothing happens nothing is told: neither a list read anew nor a watch that ended. */
    void staysQuiet() throws InterruptedException {
      List<String> before = List.copyOf(lines);
      Thread.sleep(QUIET);
      check(lines.equals(before), lines + ", and not " + before);
    }

    private static Map<String, List<String>> byName(List<String> lines) {
      return lines.stream().collect(Collectors.groupingBy(line -> line.replaceFirst("^([-+~]|[A-Z]+ )", "")));
    }
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char one : text.toCharArray()) {
      if (one == '"' || one == '\\' || one < ' ') quoted.append(String.format("\\u%04x", (int) one));
      else quoted.append(one);
    }
    return quoted.append('"').toString();
  }
}
