package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"aead.dev/minisign"
)

// passwordVariable is the name of the environment variable with the password of a key.
const passwordVariable = "VERSUS2048_KEY_PASSWORD" // #nosec G101 -- the name of a variable

// sign signs a file by the secret key in another file, as minisign does. The signature is beside the signed file.
func sign(keyFile, path, password string) error {
	key, err := readKey(keyFile, password)
	if err != nil {
		return fmt.Errorf("the key in %s: %w", keyFile, err)
	}
	message, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	untrusted := fmt.Sprintf("signature by the key %016X", key.ID())
	signature := minisign.SignWithComments(key, message, "file:"+filepath.Base(path), untrusted)
	return create(path+".minisig", func(f *os.File) error {
		_, err := f.Write(signature)
		return err
	})
}

// readKey reads a secret key, which may have a password.
func readKey(path, password string) (key minisign.PrivateKey, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return key, err
	}
	text = bytes.TrimSpace([]byte(strings.ReplaceAll(string(text), "\r\n", "\n")))
	if !minisign.IsEncrypted(text) {
		err = key.UnmarshalText(text)
		return key, err
	}
	if password == "" {
		return key, fmt.Errorf("it has a password: put that into the variable %s", passwordVariable)
	}
	return minisign.DecryptKey(password, text)
}
