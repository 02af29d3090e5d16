import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tells how a client library's behaviours went: one line of JSON each, on stdout. */
final class Attempt {
  /** Far more than any behaviour takes on a slow machine. */
  private static final long PATIENCE = 120_000;

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

    void until(String... wanted) throws Exception {
      try {
        eventually("what it tells", () -> lines.equals(List.of(wanted)));
      } catch (AssertionError error) {
        throw new AssertionError(lines + ", and not " + List.of(wanted), error);
      }
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
