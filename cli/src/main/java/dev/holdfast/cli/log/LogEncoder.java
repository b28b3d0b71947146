// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.google.gson.JsonObject;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;

/**
 * One line for each entry, as text for people or as JSON for programs. In both, what others wrote
 * stays on its line and cannot steer a terminal. Logback makes it, with the settings of
 * logback.xml.
 */
public final class LogEncoder extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};
  private static final String OUR_AREAS = "holdfast.";
  private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\x{2028}\\x{2029}]");
  private static final String LIBRARIES = "libraries";

  private boolean isJson;
  private DateTimeFormatter time = DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

  /** Is set from logback.xml: {@code text} or {@code json}. */
  public void setFormat(String format) {
    isJson = format.equals("json");
  }

  /** Is set from logback.xml: the pattern of the time in text. */
  public void setTime(String pattern) {
    time = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return (isJson ? json(event) : text(event)).getBytes(UTF_8);
  }

  private String text(ILoggingEvent event) {
    StringBuilder line =
        new StringBuilder(time.format(event.getInstant().atZone(ZoneId.systemDefault())))
            .append(' ')
            .append(String.format(Locale.ROOT, "%-5s", event.getLevel()))
            .append(' ')
            .append(event.getLoggerName().substring(event.getLoggerName().lastIndexOf('.') + 1))
            .append(": ")
            .append(UNSAFE.matcher(event.getFormattedMessage()).replaceAll("?"))
            .append('\n');
    IThrowableProxy error = event.getThrowableProxy();
    return error == null
        ? line.toString()
        : line.append(ThrowableProxyUtil.asString(error)).toString();
  }

  private static String json(ILoggingEvent event) {
    JsonObject line = new JsonObject();
    line.addProperty("time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
    line.addProperty("level", event.getLevel().toString().toLowerCase(Locale.ROOT));
    String logger = event.getLoggerName();
    boolean isOurs = logger.startsWith(OUR_AREAS);
    line.addProperty("area", isOurs ? logger.substring(OUR_AREAS.length()) : LIBRARIES);
    if (!isOurs) {
      line.addProperty("logger", logger);
    }
    List<KeyValuePair> fields = event.getKeyValuePairs();
    if (fields != null) {
      for (KeyValuePair field : fields) {
        add(line, field);
      }
    }
    line.addProperty("message", safe(event.getFormattedMessage()));
    IThrowableProxy error = event.getThrowableProxy();
    if (error != null) {
      line.addProperty("error", ThrowableProxyUtil.asString(error));
    }
    return line + "\n";
  }

  private static void add(JsonObject line, KeyValuePair field) {
    if (field.value instanceof Number number) {
      line.addProperty(field.key, number);
    } else if (field.value instanceof Boolean flag) {
      line.addProperty(field.key, flag);
    } else {
      line.addProperty(field.key, safe(String.valueOf(field.value)));
    }
  }

  private static String safe(String text) {
    return UNSAFE.matcher(text).replaceAll("?");
  }
}
