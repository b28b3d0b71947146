// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads one HTTP/1.1 response. */
final class HttpReader {
  private final InputStream in;

  private HttpReader(InputStream in) {
    this.in = new java.io.BufferedInputStream(in);
  }

  static Http.Response read(InputStream in, String method) throws IOException {
    return new HttpReader(in).response(method);
  }

  private Http.Response response(String method) throws IOException {
    String[] start = line().split(" ", 3);
    int status = Integer.parseInt(start[1]);
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    int length = -1;
    boolean chunked = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      headers.add(Map.entry(name, value));
      if (name.equals("content-length")) {
        length = Integer.parseInt(value);
      }
      chunked |= name.equals("transfer-encoding") && value.equals("chunked");
    }
    if (status == 100) {
      return response(method);
    }
    boolean empty = method.equals("HEAD") || status == 101 || status == 204 || status == 304;
    byte[] body = empty ? new byte[0] : body(length, chunked);
    return new Http.Response(
        status, List.copyOf(headers), new String(body, StandardCharsets.UTF_8));
  }

  private byte[] body(int length, boolean chunked) throws IOException {
    if (chunked) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (int size = chunkSize(); size > 0; size = chunkSize()) {
        body.writeBytes(exactly(size));
        line();
      }
      return body.toByteArray();
    }
    return length < 0 ? in.readAllBytes() : exactly(length);
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().split(";", 2)[0].strip(), 16);
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("body ended after " + bytes.length + " of " + length + " bytes");
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection was closed: " + line);
      }
      if (c != '\r') {
        line.write(c);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
