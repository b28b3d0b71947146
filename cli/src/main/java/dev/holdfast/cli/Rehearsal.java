// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

/**
 * What the launcher runs once after a build, so that the JVM can keep the classes that commands
 * need in the form that loads fastest. The commands fail, since nobody is there to answer them;
 * that takes all the classes it needs.
 */
final class Rehearsal {
  private Rehearsal() {}

  public static void main(String[] args) {
    Shell shell = Shell.ofProcess();
    Main.run(shell, "xds", "status", "localhost:1", "--timeout", "1");
    Main.run(shell, "describe", "HTTPProxy/a/b", "--server", "http://127.0.0.1:1");
    Main.run(shell, "get", "objects", "--server", "http://127.0.0.1:1");
  }
}
