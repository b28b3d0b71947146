// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.libraries;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Finds out which version of a library is on a class path. */
final class LibraryVersion {
  /** Of a library that is inside of another jar, whose manifest speaks of that one. */
  static final String UNKNOWN = "of an unknown version";

  private LibraryVersion() {}

  /** The version, {@link #UNKNOWN}, or null if the library is not there. */
  static @Nullable String of(Library library, ClassLoader loader) {
    String path = library.sample().replace('.', '/') + ".class";
    URL sample = loader.getResource(path);
    if (sample == null) {
      return null;
    }
    String root = sample.toString();
    root = root.substring(0, root.length() - path.length());
    String version =
        pomVersion(
            root
                + "META-INF/maven/"
                + library.group()
                + "/"
                + library.artifact()
                + "/pom.properties");
    if (version == null && root.contains("/" + library.artifact() + "-")) {
      version = manifestVersion(root + "META-INF/MANIFEST.MF");
    }
    return version == null ? UNKNOWN : version;
  }

  private static @Nullable String pomVersion(String url) {
    try (InputStream in = open(url)) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable String manifestVersion(String url) {
    try (InputStream in = open(url)) {
      Attributes attributes = new Manifest(in).getMainAttributes();
      String version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return version == null ? attributes.getValue("Bundle-Version") : version;
    } catch (IOException e) {
      return null;
    }
  }

  /** Without the JDK's cache of jars, which would keep the file open. */
  private static InputStream open(String url) throws IOException {
    URLConnection connection = new URL(url).openConnection();
    connection.setUseCaches(false);
    return connection.getInputStream();
  }

  /** Compares numbers; a word ends a version. */
  static boolean isBefore(String version, String other) {
    String[] mine = version.split("[.-]", -1);
    String[] others = other.split("[.-]", -1);
    for (int i = 0; i < others.length; i++) {
      int difference = Integer.compare(number(mine, i), number(others, i));
      if (difference != 0) {
        return difference < 0;
      }
    }
    return false;
  }

  private static int number(String[] parts, int index) {
    return index < parts.length && parts[index].matches("[0-9]{1,9}")
        ? Integer.parseInt(parts[index])
        : 0;
  }
}
