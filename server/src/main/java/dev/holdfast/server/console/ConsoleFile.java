// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.console;

import java.util.Map;
import java.util.TreeMap;

/** One file of the console, as a browser gets it. */
public final class ConsoleFile {
  /**
   * Nothing but our own files, and no way to make a string into markup or code: what an author or a
   * proxy wrote stays text, whatever the page does with it.
   */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
          + " require-trusted-types-for 'script'; trusted-types 'none'";

  private final String contentType;
  private final byte[] body;
  private final String tag;

  ConsoleFile(String contentType, byte[] body, String tag) {
    this.contentType = contentType;
    this.body = body;
    this.tag = tag;
  }

  public String contentType() {
    return contentType;
  }

  /** Not to be changed. */
  public byte[] body() {
    return body;
  }

  /** What tells one version from another, as the header {@code ETag} has it. */
  public String tag() {
    return tag;
  }

  /** What goes with it: a browser keeps it, and asks each time whether there is a newer one. */
  public Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>();
    headers.put("Cache-Control", "no-cache");
    headers.put("Content-Security-Policy", POLICY);
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    headers.put("ETag", tag);
    return headers;
  }
}
